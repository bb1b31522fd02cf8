package org.streampark.lineage.planner;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.operations.Operation;
import org.apache.flink.table.operations.SinkModifyOperation;
import org.streampark.lineage.planner.parsed.Reading;
import org.streampark.lineage.planner.protocol.Json;
import org.streampark.lineage.planner.text.Limits;
import org.streampark.lineage.planner.text.Position;
import org.streampark.lineage.planner.text.Statement;
import org.streampark.lineage.planner.text.StatementSets;
import org.streampark.lineage.planner.text.Token;
import org.streampark.lineage.planner.text.Tokens;

/** Plans one script, statement by statement. A statement that fails is reported and never stops the others. */
final class ScriptPlanner {
    /** Statements without influence on lineage that some Flink version refuses to parse. */
    private static final Set<String> WITHOUT_INFLUENCE = Set.of(
            "ADD", "ANALYZE", "CALL", "CLEAR", "DESC", "DESCRIBE", "EXIT", "EXPLAIN", "HELP", "LOAD",
            "QUIT", "REMOVE", "RESET", "SHOW", "STOP", "TRUNCATE", "UNLOAD");
    /** The old form without quotes, whose value may contain blanks; Flink's parser knows only values without. */
    private static final Pattern BARE_SET = Pattern.compile("(?is)SET\\s+(\\S+?)\\s*=\\s*(.*?)\\s*;?\\s*");

    private final Session session;
    private final StatementParser parser;
    private final InsertPlanner insertPlanner;
    private final boolean validate;
    private final boolean infer;
    private final TextTier text;
    private final Inference inference;
    private final ArrayNode inserts = Json.array();
    private final ArrayNode results = Json.array();
    private final Operations operations;
    private Statement current;

    private ScriptPlanner(PlanRequest request) {
        session = new Session(request);
        parser = new StatementParser(session);
        validate = request.validate();
        infer = request.validate() && request.infer();
        text = new TextTier(session);
        insertPlanner = new InsertPlanner(session, request.compile());
        inference = new Inference(session, parser, text);
        operations = new Operations(session, this::insert);
    }

    /** The answer to a plan request, without its id. */
    static ObjectNode plan(PlanRequest request) {
        ScriptPlanner planner = new ScriptPlanner(request);
        ObjectNode answer = Json.object();
        if (!request.prelude().isEmpty()) {
            answer.set("prelude", planner.prelude(request));
        }
        request.statements().forEach(planner::statement);
        answer.set("statements", planner.results);
        answer.set("catalogs", planner.session.catalogs().facts());
        answer.set("undeclared", paths(planner.text.undeclared()));
        answer.set("given", paths(planner.session.given().tables()));
        answer.set("inserts", planner.inserts);
        return answer;
    }

    private static ArrayNode paths(Collection<ObjectIdentifier> identifiers) {
        ArrayNode paths = Json.array();
        identifiers.forEach(identifier -> paths.add(Json.strings(identifier.toList())));
        return paths;
    }

    /** Defines what the script finds; afterwards the current catalog is that of the request again. */
    private ArrayNode prelude(PlanRequest request) {
        session.given().begin();
        request.prelude().forEach(this::statement);
        session.given().end();
        session.use(request.catalog(), request.database());
        ArrayNode told = results.deepCopy();
        results.removeAll();
        inserts.removeAll();
        return told;
    }

    private void statement(Statement statement) {
        ObjectNode result = results.addObject().put("line", statement.line()).put("column", statement.column());
        List<Token> tokens = Tokens.of(statement.text());
        result.put("op", firstWord(tokens));
        result.put("status", "ignored");
        Optional<Limits.Refusal> refusal = Limits.refusal(tokens);
        if (refusal.isPresent()) {
            Statement at = statement.part(refusal.get().offset(), statement.text().length());
            Position position = new Position(at.line(), at.column(), at.line(), at.column());
            fail(result, Failure.of(refusal.get().kind(), refusal.get().message(), position), statement);
            if (refusal.get().parses()) {
                StatementSets.open(statement, tokens).forEach(part -> readText(part, result));
            }
            return;
        }
        for (Statement part : StatementSets.open(statement, tokens)) {
            part(part, Tokens.of(part.text()), result);
        }
        List<String> assumed = session.functions().takeAssumed();
        if (!assumed.isEmpty()) {
            result.set("assumedFunctions", Json.strings(assumed));
        }
    }

    /** Stands for the kind of statement as long as the parser has not told it. */
    private static String firstWord(List<Token> tokens) {
        String word = tokens.isEmpty() ? "" : tokens.get(0).text().toUpperCase(Locale.ROOT);
        return word.substring(0, Math.min(word.length(), 32));
    }

    /** A statement set has several parts: its first error is told, and its other INSERTs are planned all the same. */
    private void part(Statement part, List<Token> tokens, ObjectNode result) {
        current = part;
        int before = inserts.size();
        try {
            boolean used = validate ? takeValidated(part, tokens, result) : takeUnvalidated(part, tokens, result);
            if (used && !result.path("status").asText().equals("error")) {
                result.put("status", "ok");
            }
        } catch (Throwable e) {
            fail(result, e instanceof StatementFailure failure ? failure.failure() : Failure.of(e), part);
            if (inserts.size() == before) {
                readText(part, result);
            }
        }
    }

    /** Queries are not validated; what only defines things is, for it cannot blow up. */
    private boolean takeUnvalidated(Statement part, List<Token> tokens, ObjectNode result) throws Exception {
        Reading reading;
        try {
            reading = TextTier.read(part);
        } catch (SqlParseException onlyValidationKnowsIt) {
            reading = null;
        }
        if (reading instanceof Reading.Move || reading instanceof Reading.View) {
            return answered(text.use(reading));
        }
        return takeValidated(part, tokens, result);
    }

    private boolean takeValidated(Statement part, List<Token> tokens, ObjectNode result) throws StatementFailure {
        boolean used = take(part, tokens, result);
        text.taken(part);
        return used;
    }

    /** Says in {@code text} whether its syntax made up for a failed statement; in a set, for all that failed. */
    private void readText(Statement part, ObjectNode result) {
        current = part;
        boolean isRead;
        boolean isInferred = false;
        try {
            Reading reading = TextTier.read(part);
            ObjectNode told = text.use(reading);
            text.keepText(part, reading);
            ObjectNode inferred = infer ? inference.plan(part, reading, told) : null;
            isRead = answered(inferred == null ? told : inferred);
            isInferred = inferred != null;
        } catch (Throwable untold) {
            isRead = false;
            text.lose(part);
        }
        result.put("text", isRead && result.path("text").asBoolean(true));
        result.put("inferred", isInferred && result.path("inferred").asBoolean(true));
    }

    /** Adds the answer of the text tier, empty for a definition, to the INSERTs; false for none. */
    private boolean answered(ObjectNode answer) {
        if (answer != null && !answer.isEmpty()) {
            inserts.add(place().setAll(answer));
        }
        return answer != null;
    }

    private boolean take(Statement part, List<Token> tokens, ObjectNode result) throws StatementFailure {
        Operation operation;
        try {
            operation = parser.parse(part, tokens);
        } catch (StatementFailure e) {
            Matcher set = BARE_SET.matcher(part.text());
            if (tokens.get(0).is("SET") && set.matches()) {
                return operations.set(set.group(1), set.group(2));
            }
            if (WITHOUT_INFLUENCE.contains(firstWord(tokens))) {
                return false;
            }
            throw e;
        }
        result.put("op", Operations.name(operation));
        return operations.take(operation);
    }

    private void insert(SinkModifyOperation insert) {
        inserts.add(place().setAll(insertPlanner.plan(insert)));
    }

    private ObjectNode place() {
        return Json.object()
                .put("statement", results.size() - 1)
                .put("line", current.line())
                .put("column", current.column());
    }

    private static void fail(ObjectNode result, Failure failure, Statement part) {
        if (!result.has("error")) {
            result.put("status", "error");
            result.set("error", failure.json(part.line(), part.lastLine()));
        }
    }
}
