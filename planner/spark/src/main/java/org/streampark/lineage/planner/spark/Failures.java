package org.streampark.lineage.planner.spark;

import java.util.regex.Pattern;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.trees.Origin;
import org.streampark.lineage.planner.protocol.Json;
import org.streampark.lineage.planner.text.Statement;

/** What went wrong with a statement, in one sentence and with its place where the parser tells. */
final class Failures {
    private static final int MAX_MESSAGE = 2_000;
    private static final Pattern PLACE = Pattern.compile("\\(line \\d+, pos \\d+\\)$");

    private Failures() {}

    static String message(Throwable error) {
        if (error instanceof StackOverflowError) {
            return "the statement is too deeply nested to be read";
        }
        String text = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
        String line = PLACE.matcher(text.strip().split("\\R", 2)[0]).replaceFirst("");
        return line.length() > MAX_MESSAGE ? line.substring(0, MAX_MESSAGE) + "…" : line;
    }

    /** Places are the script's, because statements are parsed behind their padding. */
    static ObjectNode json(Throwable error, Statement statement) {
        ObjectNode json =
                Json.object().put("class", error.getClass().getSimpleName()).put("message", message(error));
        if (error instanceof ParseException parse) {
            Origin start = parse.start();
            if (start.line().isDefined() && start.startPosition().isDefined()) {
                int line = (Integer) start.line().get();
                if (line >= statement.line() && line <= statement.lastLine()) {
                    json.put("line", line).put("column", (Integer) start.startPosition().get() + 1);
                }
            }
        }
        return json;
    }
}
