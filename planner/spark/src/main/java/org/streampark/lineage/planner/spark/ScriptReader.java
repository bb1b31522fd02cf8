package org.streampark.lineage.planner.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.UnresolvedWith;
import org.apache.spark.sql.execution.SparkSqlParser;
import org.apache.spark.sql.internal.SQLConf;
import org.streampark.lineage.planner.protocol.Json;
import org.streampark.lineage.planner.text.Statement;

/**
 * Reads one script: each statement is parsed, none is analysed or run. The answer has the planner's form, with the tables of each
 * write under {@code text}.
 */
final class ScriptReader {
    /** References that Spark would take from the environment or the JVM: they are the driver's, not ours. */
    private static final Pattern FOREIGN = Pattern.compile("\\$\\{\\s*(?:env|system):", Pattern.CASE_INSENSITIVE);

    /** The parser's time grows faster than the nesting. */
    private static final int MAX_NESTING = 1_000;

    private final Session session;
    private final SparkSqlParser parser = new SparkSqlParser();
    private final ArrayNode inserts = Json.array();
    private final Set<List<String>> undeclared = new LinkedHashSet<>();
    private Statement current;

    ScriptReader(Session session) {
        this.session = session;
    }

    ObjectNode read(List<Statement> statements) {
        ArrayNode results = Json.array();
        for (Statement statement : statements) {
            results.add(statement(statement));
        }
        ObjectNode answer = Json.object();
        answer.set("statements", results);
        ObjectNode catalogs = answer.putObject("catalogs");
        session.catalogs().forEach((name, options) -> {
            ObjectNode catalog = catalogs.putObject(name).put("type", session.catalogClass(name));
            catalog.set("options", Json.strings(options));
        });
        answer.set("inserts", inserts);
        ArrayNode tables = answer.putArray("undeclared");
        undeclared.forEach(path -> tables.add(Json.strings(path)));
        return answer;
    }

    private ObjectNode statement(Statement statement) {
        current = statement;
        ObjectNode result = Json.object().put("line", statement.line()).put("column", statement.column());
        result.put("op", firstWord(statement.text()));
        try {
            boolean isKnown = take(parse(statement), new Reads(session));
            return result.put("status", isKnown ? "ok" : "ignored");
        } catch (LinkageError partOfSparkThatIsNotHere) {
            // such as what a local directory of the driver is written with
            return result.put("status", "ignored");
        } catch (Exception | StackOverflowError e) {
            result.put("status", "error").set("error", Failures.json(e, statement));
            return result;
        }
    }

    /** Variables are those of the script's configuration ({@code SET}); the environment is left alone. */
    private LogicalPlan parse(Statement statement) throws Exception {
        if (nesting(statement.text()) > MAX_NESTING) {
            throw new IllegalArgumentException("the statement is nested deeper than " + MAX_NESTING + " parentheses");
        }
        SQLConf conf = new SQLConf();
        session.conf().forEach(conf::setConfString);
        if (FOREIGN.matcher(statement.text()).find()) {
            conf.setConfString("spark.sql.variable.substitute", "false");
        }
        return SQLConf.withExistingConf(conf, () -> parser.parsePlan(statement.padded()));
    }

    /** How deep the parentheses of a text go; those in quotes do not count. */
    private static int nesting(String text) {
        int depth = 0;
        int deepest = 0;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                i += c == '\\' && quote != '`' ? 1 : 0;
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"' || c == '`') {
                quote = c;
            } else {
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
                deepest = Math.max(deepest, depth);
            }
        }
        return deepest;
    }

    private static String firstWord(String text) {
        String word = text.strip().split("\\s", 2)[0].toUpperCase(Locale.ROOT);
        return word.substring(0, Math.min(word.length(), 32));
    }

    /** False for a statement that may move data in a way that is not read here. */
    private boolean take(LogicalPlan plan, Reads reads) {
        if (plan instanceof UnresolvedWith with) {
            return take(with.child(), reads.inside(with));
        }
        Effect effect = Effect.of(plan, session, reads);
        for (Effect.Write write : effect.writes()) {
            insert(write);
        }
        return effect.isKnown();
    }

    private void insert(Effect.Write write) {
        TableUse sink = write.sink();
        ObjectNode insert = Json.object().put("line", current.line()).put("column", current.column());
        insert.set("target", Json.strings(sink.path()));
        insert.putNull("plan").putNull("tree");
        ArrayNode inputs = insert.putObject("text").putArray("inputs");
        ArrayNode tables = insert.putArray("tables");
        tables.add(sink.json("sink"));
        Map<List<String>, ObjectNode> named = new LinkedHashMap<>();
        List<TableUse> all = new ArrayList<>(write.reads());
        for (TableUse table : all) {
            ObjectNode input = Json.object().put("role", "scan");
            input.set("path", Json.strings(table.path()));
            named.putIfAbsent(table.path(), input);
            tables.add(table.json("source"));
        }
        named.values().forEach(inputs::add);
        inserts.add(insert);
        all.add(sink);
        all.stream().filter(table -> !table.declared()).forEach(table -> undeclared.add(table.path()));
    }
}
