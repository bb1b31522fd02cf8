package org.streampark.lineage.planner;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.streampark.lineage.planner.protocol.Json;
import org.streampark.lineage.planner.text.Position;

/**
 * What went wrong with a statement: one sentence and, where Flink tells, the place ({@code position}, else null).
 * {@code fullMessage} is all that Flink said; {@code isSyntax} that the parser did not understand the text.
 */
record Failure(String kind, String message, Position position, String fullMessage, boolean isSyntax) {
    private static final int MAX_MESSAGE = 2_000;
    private static final Pattern PLACE_AHEAD =
            Pattern.compile("^(?:From line \\d+, column \\d+ to line \\d+, column \\d+|At line \\d+, column \\d+): ");
    private static final Pattern NOT_FOUND = Pattern.compile("^Object '[^']*' not found");
    private static final Pattern PLACE_INSIDE = Pattern.compile("(?i) at line (\\d+), column (\\d+)");

    static Failure of(Throwable error) {
        List<Throwable> chain = chain(error);
        if (chain.stream().anyMatch(Failure::isStackOverflow)) {
            return of("TooDeeplyNested", "the statement is too deeply nested to be planned", null);
        }
        String message = sentence(deepest(chain));
        Position position = ErrorPositions.of(chain);
        Matcher inside = PLACE_INSIDE.matcher(message);
        if (position == null && inside.find()) {
            int line = Integer.parseInt(inside.group(1));
            int column = Integer.parseInt(inside.group(2));
            position = new Position(line, column, line, column);
        }
        return new Failure(
                error.getClass().getSimpleName(),
                PLACE_INSIDE.matcher(message).replaceAll(""),
                position,
                chain.stream().map(Throwable::getMessage).filter(Objects::nonNull).collect(Collectors.joining("\n")),
                chain.stream().anyMatch(SqlParseException.class::isInstance));
    }

    static Failure of(String kind, String message, Position position) {
        return new Failure(kind, message, position, message, false);
    }

    /** Flink names some part of the path that it did not find; what helps is the table or model as it is written. */
    Failure nameMissing(String what, String written) {
        return NOT_FOUND.matcher(message).find() && !written.isBlank()
                ? new Failure(kind, what + " " + written + " is not defined in the script", position, fullMessage, isSyntax)
                : this;
    }

    Failure at(Position other) {
        return new Failure(kind, message, other, fullMessage, isSyntax);
    }

    private static List<Throwable> chain(Throwable error) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable at = error; at != null && !chain.contains(at); at = at.getCause()) {
            chain.add(at);
        }
        return chain;
    }

    /** The parser loses the message of a stack overflow and then stumbles over its absence. */
    private static boolean isStackOverflow(Throwable error) {
        return error instanceof StackOverflowError
                || error instanceof NullPointerException && String.valueOf(error.getMessage()).contains("getMessage()");
    }

    /** The deepest message says it best; the outer ones repeat it. One that does not name the call says less. */
    private static String deepest(List<Throwable> chain) {
        String message = chain.get(0).getClass().getSimpleName();
        for (Throwable error : chain) {
            if (error.getMessage() != null
                    && !error.getMessage().isBlank()
                    && !error.getMessage().startsWith("Invalid input arguments")) {
                message = error.getMessage().strip();
            }
        }
        return message;
    }

    /** The first line, and the cause that Flink adds to some. */
    private static String sentence(String message) {
        String[] lines = message.split("\\R", 3);
        String sentence = lines.length > 1 && (lines[1].startsWith("Cause: ") || lines[0].endsWith("call:"))
                ? lines[0] + ' ' + lines[1]
                : lines[0];
        sentence = PLACE_AHEAD.matcher(sentence).replaceFirst("");
        return sentence.length() > MAX_MESSAGE ? sentence.substring(0, MAX_MESSAGE) + "…" : sentence;
    }

    /** With the place only where it lies inside these lines: errors in a view's body carry places of the body. */
    ObjectNode json(int firstLine, int lastLine) {
        ObjectNode json = Json.object().put("class", kind).put("message", message);
        if (position != null && position.line() >= firstLine && position.endLine() <= lastLine) {
            json.put("line", position.line())
                    .put("column", position.column())
                    .put("endLine", position.endLine())
                    .put("endColumn", position.endColumn());
        }
        return json;
    }
}
