package org.streampark.lineage.planner;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.streampark.lineage.planner.protocol.BadFrame;
import org.streampark.lineage.planner.stub.StubFunctions.FunctionKind;
import org.streampark.lineage.planner.text.Statement;

/**
 * One script to plan. {@code compile} false asks for the trees only and {@code validate} false for no more than the
 * text tells: what a script deserves that has already brought a planner down. {@code infer}: tables that nobody declares
 * get the columns they are used with. {@code prelude} defines what it finds.
 */
record PlanRequest(
        boolean batch,
        boolean compile,
        boolean validate,
        boolean infer,
        String catalog,
        String database,
        Map<String, String> options,
        List<Statement> prelude,
        List<Statement> statements,
        Map<String, DeclaredFunction> functions) {
    /** What the operator told about a function; {@code type} may be null. */
    record DeclaredFunction(FunctionKind kind, String type) {}

    static PlanRequest of(JsonNode json) throws BadFrame {
        String mode = text(json, "mode");
        if (!mode.equals("streaming") && !mode.equals("batch")) {
            throw bad("mode is neither streaming nor batch");
        }
        return new PlanRequest(
                mode.equals("batch"),
                json.path("compile").asBoolean(true),
                json.path("validate").asBoolean(true),
                json.path("infer").asBoolean(false),
                name(json, "catalog"),
                name(json, "database"),
                options(json.path("options")),
                json.has("prelude") ? statements(json.path("prelude")) : List.of(),
                statements(json.path("statements")),
                functions(json.path("functions")));
    }

    private static Map<String, String> options(JsonNode json) throws BadFrame {
        Map<String, String> options = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> option : properties(json)) {
            options.put(option.getKey(), string(option.getValue(), "options"));
        }
        return options;
    }

    /** {@code JsonNode.properties()} is younger than the Jackson of some Flink versions. */
    private static Iterable<Map.Entry<String, JsonNode>> properties(JsonNode json) {
        return json::fields;
    }

    private static List<Statement> statements(JsonNode json) throws BadFrame {
        if (!json.isArray()) {
            throw bad("statements is not a list");
        }
        List<Statement> statements = new ArrayList<>();
        for (JsonNode statement : json) {
            int line = statement.path("line").asInt(1);
            int column = statement.path("column").asInt(1);
            if (line < 1 || column < 1 || line > MAX_PLACE || column > MAX_PLACE) {
                throw bad("the place of a statement is out of range");
            }
            statements.add(new Statement(text(statement, "text"), line, column));
        }
        return statements;
    }

    /** Places become padding, so a wrong one must not become gigabytes. */
    private static final int MAX_PLACE = 16 * 1024 * 1024;

    private static Map<String, DeclaredFunction> functions(JsonNode json) throws BadFrame {
        Map<String, DeclaredFunction> functions = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> function : properties(json)) {
            FunctionKind kind =
                    switch (function.getValue().path("kind").asText("scalar")) {
                        case "scalar" -> FunctionKind.SCALAR;
                        case "table" -> FunctionKind.TABLE;
                        case "aggregate" -> FunctionKind.AGGREGATE;
                        default -> throw bad("the kind of a function is none of scalar, table, aggregate");
                    };
            JsonNode type = function.getValue().path("type");
            functions.put(
                    function.getKey().toLowerCase(Locale.ROOT),
                    new DeclaredFunction(kind, type.isTextual() ? type.asText() : null));
        }
        return functions;
    }

    private static String name(JsonNode json, String field) throws BadFrame {
        String name = text(json, field);
        if (name.isBlank()) {
            throw bad(field + " is empty");
        }
        return name;
    }

    private static String text(JsonNode json, String field) throws BadFrame {
        return string(json.path(field), field);
    }

    private static String string(JsonNode json, String field) throws BadFrame {
        if (!json.isTextual()) {
            throw bad(field + " is missing or not text");
        }
        return json.asText();
    }

    private static BadFrame bad(String message) {
        return new BadFrame("BadRequest", message);
    }
}
