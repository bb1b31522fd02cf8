package org.streampark.lineage.planner;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streampark.lineage.planner.parsed.OpenTable;
import org.streampark.lineage.planner.text.Call;
import org.streampark.lineage.planner.text.Position;
import org.streampark.lineage.planner.text.Statement;
import org.streampark.lineage.planner.text.Token;
import org.streampark.lineage.planner.text.Tokens;

/** Reads from a validation error that a column with an assumed type should have had another. */
final class TypeRepair {
    private static final Pattern CALL = Pattern.compile("^Invalid function call: (\\w+)\\(");

    private final List<OpenTable> tables;
    private final Set<List<String>> tried = new HashSet<>();

    TypeRepair(List<OpenTable> tables) {
        this.tables = tables;
    }

    /** Whether anything was changed, so that the statement is worth another try. */
    boolean repair(Failure failure, Statement statement) {
        boolean changed = false;
        for (Token token : near(failure, statement.padded())) {
            if (token.isName()) {
                changed |= retype(token.name(), FunctionRepair.types(failure.fullMessage()));
            }
        }
        return changed;
    }

    /** What stands at the place of the error; without one, in the calls of the function that it is about. */
    private static List<Token> near(Failure failure, String text) {
        List<Token> tokens = Tokens.of(text);
        Position position = failure.position();
        if (position != null) {
            Places places = new Places(text);
            return tokens.stream().filter(token -> places.covers(position, token)).toList();
        }
        Matcher function = CALL.matcher(failure.message());
        return function.find()
                ? Call.in(tokens).stream()
                        .filter(call -> call.name().equalsIgnoreCase(function.group(1)))
                        .flatMap(call -> tokens.subList(call.from(), call.to() + 1).stream())
                        .toList()
                : List.of();
    }

    private boolean retype(String column, List<String> types) {
        boolean changed = false;
        for (OpenTable table : tables) {
            String before = table.columns().get(column);
            if (before == null) {
                continue;
            }
            tried.add(List.of(table.path().asSerializableString(), column, before));
            for (String type : types) {
                if (tried.add(List.of(table.path().asSerializableString(), column, type))) {
                    table.retype(column, type);
                    changed = true;
                    break;
                }
            }
        }
        return changed;
    }
}
