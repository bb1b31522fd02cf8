package org.streampark.lineage.planner.protocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.streampark.lineage.planner.text.Statement;

/** Reads the parts of a request that every engine's planner takes; what is not as it should be is a {@link BadFrame}. */
public final class Request {
    /** Places become padding, so a wrong one must not become gigabytes. */
    private static final int MAX_PLACE = 16 * 1024 * 1024;

    private Request() {}

    public static Map<String, String> options(JsonNode json) throws BadFrame {
        Map<String, String> options = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> option : properties(json)) {
            options.put(option.getKey(), string(option.getValue(), "options"));
        }
        return options;
    }

    /** {@code JsonNode.properties()} is younger than the Jackson of some Flink versions. */
    public static Iterable<Map.Entry<String, JsonNode>> properties(JsonNode json) {
        return json::fields;
    }

    public static List<Statement> statements(JsonNode json) throws BadFrame {
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

    public static String name(JsonNode json, String field) throws BadFrame {
        String name = text(json, field);
        if (name.isBlank()) {
            throw bad(field + " is empty");
        }
        return name;
    }

    public static String text(JsonNode json, String field) throws BadFrame {
        return string(json.path(field), field);
    }

    private static String string(JsonNode json, String field) throws BadFrame {
        if (!json.isTextual()) {
            throw bad(field + " is missing or not text");
        }
        return json.asText();
    }

    public static BadFrame bad(String message) {
        return new BadFrame("BadRequest", message);
    }
}
