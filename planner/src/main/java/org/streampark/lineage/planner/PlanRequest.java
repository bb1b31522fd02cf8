package org.streampark.lineage.planner;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.streampark.lineage.planner.protocol.BadFrame;
import org.streampark.lineage.planner.protocol.Request;
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
        String mode = Request.text(json, "mode");
        if (!mode.equals("streaming") && !mode.equals("batch")) {
            throw Request.bad("mode is neither streaming nor batch");
        }
        return new PlanRequest(
                mode.equals("batch"),
                json.path("compile").asBoolean(true),
                json.path("validate").asBoolean(true),
                json.path("infer").asBoolean(false),
                Request.name(json, "catalog"),
                Request.name(json, "database"),
                Request.options(json.path("options")),
                json.has("prelude") ? Request.statements(json.path("prelude")) : List.of(),
                Request.statements(json.path("statements")),
                functions(json.path("functions")));
    }

    private static Map<String, DeclaredFunction> functions(JsonNode json) throws BadFrame {
        Map<String, DeclaredFunction> functions = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> function : Request.properties(json)) {
            FunctionKind kind =
                    switch (function.getValue().path("kind").asText("scalar")) {
                        case "scalar" -> FunctionKind.SCALAR;
                        case "table" -> FunctionKind.TABLE;
                        case "aggregate" -> FunctionKind.AGGREGATE;
                        default -> throw Request.bad("the kind of a function is none of scalar, table, aggregate");
                    };
            JsonNode type = function.getValue().path("type");
            functions.put(
                    function.getKey().toLowerCase(Locale.ROOT),
                    new DeclaredFunction(kind, type.isTextual() ? type.asText() : null));
        }
        return functions;
    }
}
