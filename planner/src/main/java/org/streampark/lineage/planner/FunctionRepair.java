package org.streampark.lineage.planner;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streampark.lineage.planner.stub.StubFunctions.FunctionKind;
import org.streampark.lineage.planner.text.Call;
import org.streampark.lineage.planner.text.Position;
import org.streampark.lineage.planner.text.Token;
import org.streampark.lineage.planner.text.Tokens;

/**
 * Reads from a validation error what a stubbed function should have been, for one statement. Nothing it changes alters
 * which columns flow where; only types and kinds are tried until the statement validates.
 */
final class FunctionRepair {
    private static final Pattern UNKNOWN = Pattern.compile("No match found for function signature ([^(]+)\\(");
    private static final Pattern COLUMN =
            Pattern.compile("Column '([^']+)' not found in (?:any table|table '[^']+')");
    private static final Pattern NOT_GROUPED =
            Pattern.compile("is not being grouped|OVER must be applied to aggregate");
    private static final Pattern CONDITION =
            Pattern.compile("must be a condition|Expected a boolean type|Cannot apply '(?:AND|OR|NOT)'");
    private static final Pattern TYPE = Pattern.compile(
            "Cannot apply '|Invalid function call|Invalid input arguments|Illegal mixing of types|Type mismatch|compatible types"
                    + "|same type|argument type|Cannot infer|Unsupported");
    private static final Pattern ARGUMENTS = Pattern.compile("Invalid number of arguments|Invalid function call");
    private static final Pattern COLLECTION = Pattern.compile("'(?:ITEM|UNNEST|CARDINALITY)'|UNNEST argument");

    private final Functions functions;
    private final Set<FunctionStub> tried = new HashSet<>();

    FunctionRepair(Functions functions) {
        this.functions = functions;
    }

    /** What was changed, so that the statement is worth another try. */
    enum Change {
        NOTHING,
        /** A function of unknown origin was added. */
        ADDED,
        /** Another kind or type was tried. */
        GUESSED
    }

    /** @param position where in {@code text} the error lies, or null */
    Change repair(String message, Position position, String text) {
        Matcher unknown = UNKNOWN.matcher(message);
        if (unknown.find()) {
            return assume(lastPart(unknown.group(1).strip()), text) ? Change.ADDED : Change.NOTHING;
        }
        if (functions.all().isEmpty()) {
            return Change.NOTHING;
        }
        boolean changed = false;
        for (FunctionStub stub : suspects(message, position, text)) {
            FunctionStub next = next(stub, message);
            if (next != null && tried.add(next)) {
                tried.add(stub);
                functions.replace(next);
                changed = true;
            }
        }
        return changed ? Change.GUESSED : Change.NOTHING;
    }

    private boolean assume(String name, String text) {
        List<Token> tokens = Tokens.of(text);
        String path = Call.in(tokens).stream()
                .filter(call -> call.name().equalsIgnoreCase(name))
                .map(call -> Call.path(tokens, call))
                .findFirst()
                .orElse(name);
        FunctionStub hidden = functions.get(name.toLowerCase(Locale.ROOT));
        boolean added = functions.assume(name, path);
        if (hidden != null && functions.isHidden(hidden)) {
            functions.replace(hidden.asSystem());
            added = true;
        }
        functions.prepare(tokens);
        return added;
    }

    private static String lastPart(String signature) {
        List<Token> tokens = Tokens.of(signature);
        return tokens.isEmpty() ? signature : tokens.get(tokens.size() - 1).name();
    }

    /** The functions called at the place of the error; those of the statement; at last all (a view may call them). */
    private List<FunctionStub> suspects(String message, Position position, String text) {
        List<Token> tokens = Tokens.of(text);
        Places places = new Places(text);
        List<Call> calls = Call.in(tokens).stream()
                .filter(call -> functions.get(call.name()) != null)
                .toList();
        boolean grouping = NOT_GROUPED.matcher(message).find();
        List<Call> near = calls.stream()
                .filter(call -> position != null
                        && (grouping
                                ? places.span(tokens.get(call.from()), tokens.get(call.to()))
                                        .covers(position.line(), position.column())
                                : places.covers(position, tokens.get(call.from()))))
                .toList();
        List<Call> chosen = near.isEmpty() || COLUMN.matcher(message).find() ? calls : near;
        List<FunctionStub> stubs = chosen.isEmpty()
                ? List.copyOf(functions.all())
                : chosen.stream()
                        .map(call -> functions.get(call.name()))
                        .distinct()
                        .toList();
        List<FunctionStub> named = stubs.stream().filter(stub -> message.contains(printed(stub))).toList();
        return named.isEmpty() ? stubs : named;
    }

    /** How validation errors print the type the function has at present. */
    private static String printed(FunctionStub stub) {
        return stub.type().equals("STRING") ? "VARCHAR" : stub.type();
    }

    private FunctionStub next(FunctionStub stub, String message) {
        if (stub.fixed()) {
            return null;
        }
        if (ARGUMENTS.matcher(message).find() && functions.isHidden(stub)) {
            return stub.asSystem();
        }
        Matcher column = COLUMN.matcher(message);
        if (column.find()) {
            return stub.kind() == FunctionKind.TABLE ? stub.withColumn(column.group(1)) : null;
        }
        if (NOT_GROUPED.matcher(message).find()) {
            return stub.kind() == FunctionKind.SCALAR ? stub.as(FunctionKind.AGGREGATE, stub.type()) : null;
        }
        for (String type : types(message)) {
            FunctionStub candidate = stub.as(stub.kind(), type);
            if (!candidate.equals(stub) && !tried.contains(candidate)) {
                return candidate;
            }
        }
        return null;
    }

    /** The types to try where a value of another one was met. */
    static List<String> types(String message) {
        if (CONDITION.matcher(message).find()) {
            return List.of("BOOLEAN");
        }
        if (COLLECTION.matcher(message).find()) {
            return List.of("ARRAY<STRING>", "MAP<STRING, STRING>");
        }
        if (!TYPE.matcher(message).find()) {
            return List.of();
        }
        return message.toUpperCase(Locale.ROOT).contains("INTERVAL") || message.contains("TIMESTAMP")
                ? List.of("TIMESTAMP(3)", "DOUBLE", "STRING", "BOOLEAN")
                : List.of("DOUBLE", "BOOLEAN", "TIMESTAMP(3)", "STRING");
    }
}
