package org.streampark.lineage.planner;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.operations.CreateTableASOperation;
import org.apache.flink.table.operations.Operation;
import org.apache.flink.table.operations.SinkModifyOperation;
import org.streampark.lineage.planner.parsed.Declaration;
import org.streampark.lineage.planner.parsed.OpenTable;
import org.streampark.lineage.planner.parsed.Reading;
import org.streampark.lineage.planner.parsed.TargetColumns;
import org.streampark.lineage.planner.parsed.Untold;
import org.streampark.lineage.planner.parsed.UsedColumns;
import org.streampark.lineage.planner.protocol.Json;
import org.streampark.lineage.planner.text.Statement;
import org.streampark.lineage.planner.text.Tokens;

/**
 * Validates an INSERT over tables that nobody declares, with the columns it uses of them. The text tier has told its
 * tables before: where the tree says otherwise, the text holds. The columns are those of this statement and its views,
 * so they stand in the column lineage and nowhere else; the tables are gone again afterwards.
 */
final class Inference {
    private static final int MAX_TRIES = 12;
    private static final int MAX_COLUMNS = 2_000;

    private final Session session;
    private final StatementParser parser;
    private final TextTier text;

    Inference(Session session, StatementParser parser, TextTier text) {
        this.session = session;
        this.parser = parser;
        this.text = text;
    }

    /** The answer with a tree, where {@code told} by the text has none; null where the columns cannot be inferred. */
    ObjectNode plan(Statement statement, Reading reading, ObjectNode told) {
        if (!(reading instanceof Reading.Move move) || move.from() != null || told == null) {
            return null;
        }
        Set<ObjectIdentifier> made = new LinkedHashSet<>();
        try {
            UsedColumns used = UsedColumns.of(move.rest(), text.home(), text::find);
            List<OpenTable> tables = used.tables();
            ObjectIdentifier target = text.home().qualify(move.target());
            Map<String, String> sink = sink(statement, move, target);
            if (tables.isEmpty() && sink == null || !isWithinLimits(tables, sink)) {
                return null;
            }
            ObjectNode answer = validated(statement, used, target, sink, made);
            if (answer == null || !reads(answer.path("tree")).equals(reads(told.path("text")))) {
                return null;
            }
            Set<ObjectIdentifier> inferred = new LinkedHashSet<>();
            tables.forEach(table -> inferred.add(table.path()));
            if (sink != null || move.creates() != null) {
                inferred.add(target);
            }
            return finished(answer, told, inferred, used.isPositional());
        } catch (Throwable notInferred) {
            return null;
        } finally {
            made.forEach(session::forget);
        }
    }

    /**
     * The columns of a target that nobody declares; null for one that is declared or that the statement creates.
     *
     * @throws Untold where the statement does not name them: which column a value goes to is then unknown
     */
    private Map<String, String> sink(Statement statement, Reading.Move move, ObjectIdentifier target)
            throws Untold, SqlParseException {
        Declaration declared = text.find(target);
        if (move.creates() != null || declared != null && declared.schema() != null) {
            return null;
        }
        Set<String> named = TargetColumns.of(statement);
        if (named.isEmpty()) {
            throw new Untold("the columns of the target are not known");
        }
        Map<String, String> columns = new LinkedHashMap<>();
        named.forEach(column -> columns.put(column, "STRING"));
        return columns;
    }

    private static boolean isWithinLimits(List<OpenTable> tables, Map<String, String> sink) {
        int columns = sink == null ? 0 : sink.size();
        for (OpenTable table : tables) {
            columns += table.columns().size();
            if (table.columns().isEmpty() || table.options().keySet().stream().anyMatch(key -> key.startsWith("connector."))) {
                return false;
            }
        }
        return columns <= MAX_COLUMNS;
    }

    /** Tries types until the statement validates; null where none do. */
    private ObjectNode validated(
            Statement statement,
            UsedColumns used,
            ObjectIdentifier target,
            Map<String, String> sink,
            Set<ObjectIdentifier> made)
            throws StatementFailure {
        TypeRepair repair = new TypeRepair(used.tables());
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            made.forEach(session::forget);
            made.clear();
            for (OpenTable table : used.tables()) {
                define(table.path(), table.columns(), table.time(), table.options(), made);
            }
            if (sink != null && !made.contains(target)) {
                define(target, sink, null, Map.of(), made);
            }
            try {
                for (ObjectIdentifier view : used.views()) {
                    if (!defineView(view, made)) {
                        return null;
                    }
                }
                Operation operation = parser.parse(statement, Tokens.of(statement.text()));
                return InsertPlanner.tree(insert(operation, target, made));
            } catch (StatementFailure failed) {
                if (!repair.repair(failed.failure(), statement)) {
                    return null;
                }
            }
        }
        return null;
    }

    private SinkModifyOperation insert(Operation operation, ObjectIdentifier target, Set<ObjectIdentifier> made) {
        if (operation instanceof SinkModifyOperation insert) {
            return insert;
        }
        CreateTableASOperation create = (CreateTableASOperation) operation;
        made.add(target);
        session.catalogs().ensureDatabase(target.getCatalogName(), target.getDatabaseName());
        session.execute(create.getCreateTableOperation());
        return create.toSinkModifyOperation(session.environment().getCatalogManager());
    }

    private void define(
            ObjectIdentifier path,
            Map<String, String> columns,
            String time,
            Map<String, String> options,
            Set<ObjectIdentifier> made) {
        List<String> definitions = new ArrayList<>();
        columns.forEach((name, type) -> definitions.add(UsedColumns.quoted(name) + ' ' + type));
        if (time != null) {
            definitions.add("WATERMARK FOR " + UsedColumns.quoted(time) + " AS " + UsedColumns.quoted(time));
        }
        List<String> pairs = new ArrayList<>();
        options.forEach((key, value) -> pairs.add(literal(key) + " = " + literal(value)));
        String with = pairs.isEmpty() ? "" : " WITH (" + String.join(", ", pairs) + ')';
        session.catalogs().ensureDatabase(path.getCatalogName(), path.getDatabaseName());
        session.execute(parse("CREATE TABLE " + path.asSerializableString() + " (" + String.join(", ", definitions) + ')' + with));
        made.add(path);
    }

    /** Where it was written, so that its short names mean what they meant there. */
    private boolean defineView(ObjectIdentifier view, Set<ObjectIdentifier> made) throws StatementFailure {
        Statement definition = text.viewText(view);
        if (definition == null) {
            return false;
        }
        String catalog = session.environment().getCurrentCatalog();
        String database = session.environment().getCurrentDatabase();
        session.catalogs().ensureDatabase(view.getCatalogName(), view.getDatabaseName());
        try {
            if (text.find(view) instanceof Declaration.View declared) {
                session.use(declared.home().catalog(), declared.home().database());
            }
            session.execute(parser.parse(definition, Tokens.of(definition.text())));
        } catch (Untold undefined) {
            return false;
        } finally {
            session.use(catalog, database);
        }
        made.add(view);
        return true;
    }

    private Operation parse(String ddl) {
        return session.environment().getParser().parse(ddl).get(0);
    }

    private static String literal(String value) {
        return '\'' + value.replace("'", "''") + '\'';
    }

    private static Set<JsonNode> reads(JsonNode tier) {
        Set<JsonNode> reads = new HashSet<>();
        tier.path("inputs").forEach(reads::add);
        return reads;
    }

    /** Facts of inferred tables are those of the text: their columns are no schema. */
    private static ObjectNode finished(
            ObjectNode answer, ObjectNode told, Set<ObjectIdentifier> inferred, boolean isPositional) {
        ArrayNode paths = answer.putArray("inferred");
        Set<JsonNode> unknown = new HashSet<>();
        for (ObjectIdentifier path : inferred) {
            JsonNode parts = Json.strings(path.toList());
            paths.add(parts);
            unknown.add(parts);
        }
        for (JsonNode table : answer.path("tables")) {
            if (unknown.contains(table.path("path"))) {
                ((ObjectNode) table).putArray("columns");
                ((ObjectNode) table).putArray("primaryKey");
                ((ObjectNode) table).putArray("partitionKeys");
            }
        }
        answer.put("overwrite", told.path("overwrite").asBoolean());
        answer.putNull("plan");
        if (isPositional) {
            answer.remove("columns");
            answer.remove("indirect");
        }
        return answer;
    }
}
