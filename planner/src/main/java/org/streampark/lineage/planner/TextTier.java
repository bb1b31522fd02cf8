package org.streampark.lineage.planner;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.flink.table.catalog.ContextResolvedTable;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogBaseTable;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedCatalogView;
import org.streampark.lineage.planner.parsed.Declaration;
import org.streampark.lineage.planner.parsed.DefinedName;
import org.streampark.lineage.planner.parsed.HiveForms;
import org.streampark.lineage.planner.parsed.Home;
import org.streampark.lineage.planner.parsed.Reading;
import org.streampark.lineage.planner.parsed.SqlReader;
import org.streampark.lineage.planner.parsed.TableWalk;
import org.streampark.lineage.planner.parsed.Untold;
import org.streampark.lineage.planner.protocol.Json;
import org.streampark.lineage.planner.stub.TableDefinition;
import org.streampark.lineage.planner.text.Statement;
import org.streampark.lineage.planner.text.Tokens;

/**
 * The last resort for a statement that does not validate: its tables by its syntax. Definitions that failed are kept
 * here, so that the statements that use them find them; everything else stands in the catalogs of the session.
 */
final class TextTier {
    private final Session session;
    private final Map<ObjectIdentifier, Declaration> kept = new HashMap<>();
    private final Set<ObjectIdentifier> undeclared = new LinkedHashSet<>();
    private final Map<ObjectIdentifier, Statement> viewTexts = new HashMap<>();

    TextTier(Session session) {
        this.session = session;
    }

    /** The tables that statements named and nobody declared, in the order they were met. */
    Set<ObjectIdentifier> undeclared() {
        return undeclared;
    }

    /** Keeps the text of a view that was kept: with the columns it reads it can be defined after all. */
    void keepText(Statement statement, Reading reading) {
        if (reading instanceof Reading.View view && !view.alters() && !view.renames()) {
            try {
                viewTexts.put(home().qualify(view.name()), statement);
            } catch (Untold noName) {
                // nothing was kept either
            }
        }
    }

    /** The statement that defines a view which is kept by its text; null where there is none that defines it so. */
    Statement viewText(ObjectIdentifier view) {
        return kept.get(view) instanceof Declaration.View ? viewTexts.get(view) : null;
    }

    /** What a statement says by its syntax alone; null where that is nothing. */
    static Reading read(Statement statement) throws SqlParseException {
        try {
            return Reading.of(SqlReader.read(statement));
        } catch (SqlParseException notFlinks) {
            Reading hive = HiveForms.read(statement);
            if (hive == null) {
                throw notFlinks;
            }
            return hive;
        }
    }

    /**
     * Makes use of a reading: a definition is kept.
     *
     * @return the answer for an INSERT; an empty one for a definition; null for what has no use
     */
    ObjectNode use(Reading reading) throws Untold {
        Home home = home();
        if (reading instanceof Reading.Move move) {
            return answer(move, home);
        }
        if (reading instanceof Reading.View view) {
            ObjectIdentifier path = home.qualify(view.name());
            Declaration.View declaration = new Declaration.View(null, view.query(), home);
            // a view over itself, or over what is not understood, hides nothing
            TableWalk.of(null, List.of(view.query()), home, name -> name.equals(path) ? declaration : find(name))
                    .forEach(this::note);
            return makesRoom(path, view.temporary(), view.alters()) ? kept(path, declaration) : null;
        }
        if (reading instanceof Reading.Table table) {
            ObjectIdentifier path = home.qualify(table.name());
            return makesRoom(path, table.temporary(), false) ? kept(path, declaration(table, home)) : null;
        }
        return null;
    }

    /**
     * Takes note of a failed definition of which not even the syntax tells enough: its name then stands for something
     * unknown, and not for a table that nobody declared.
     */
    void lose(Statement statement) {
        List<String> name = DefinedName.of(Tokens.of(statement.text()));
        try {
            ObjectIdentifier path = name.isEmpty() ? null : home().qualify(name);
            if (path != null && declared(path) == null) {
                kept.putIfAbsent(path, new Declaration.Table(null, null));
            }
        } catch (Untold noName) {
            // nothing can be read from it either
        }
    }

    private void note(TableWalk.Input input) {
        if (!input.role().equals("model") && !kept.containsKey(input.path()) && declared(input.path()) == null) {
            undeclared.add(input.path());
        }
    }

    private ObjectNode kept(ObjectIdentifier path, Declaration declaration) {
        kept.put(path, declaration);
        viewTexts.remove(path);
        return Json.object();
    }

    /**
     * What a failed definition would have hidden is taken away, so that no later statement is planned with it. False
     * where the statement failed for good, because its name is taken.
     */
    private boolean makesRoom(ObjectIdentifier path, boolean temporary, boolean alters) {
        ContextResolvedTable present = declared(path);
        if (present == null) {
            return alters || !kept.containsKey(path);
        }
        if (alters || temporary && !present.isTemporary()) {
            session.forget(path);
            return true;
        }
        return false;
    }

    /** A definition that the planner took, or a DROP, puts an end to what was kept under its name. */
    void taken(Statement statement) {
        if (kept.isEmpty()) {
            return;
        }
        try {
            Reading reading = read(statement);
            Home home = home();
            if (reading instanceof Reading.Drop drop) {
                kept.remove(home.qualify(drop.name()));
            } else if (reading instanceof Reading.View view) {
                kept.remove(home.qualify(view.name()));
            } else if (reading instanceof Reading.Table table) {
                kept.remove(home.qualify(table.name()));
            }
        } catch (SqlParseException | Untold noDefinition) {
            // settings in the old form and the like
        }
    }

    Home home() {
        return new Home(
                session.environment().getCurrentCatalog(), session.environment().getCurrentDatabase());
    }

    private ObjectNode answer(Reading.Move move, Home home) throws Untold {
        Set<TableWalk.Input> inputs = TableWalk.of(move.from(), move.rest(), home, this::find);
        inputs.forEach(this::note);
        if (move.creates() != null) {
            ObjectIdentifier created = home.qualify(move.creates().name());
            session.forget(created);
            kept.put(created, declaration(move.creates(), home));
        }
        session.catalogs().tablesUsed();
        ObjectIdentifier target = home.qualify(move.target());
        if (find(target) instanceof Declaration.View) {
            throw new Untold("the target is a view");
        }
        note(new TableWalk.Input(target, "sink", Map.of()));
        ArrayNode tables = Json.array().add(facts(target, move.hints(), "sink"));
        ArrayNode uses = Json.array();
        Set<List<Object>> told = new LinkedHashSet<>();
        for (TableWalk.Input input : inputs) {
            if (told.add(List.of(input.path(), input.role()))) {
                uses.addObject().put("role", input.role()).set("path", Json.strings(input.path().toList()));
            }
            if (!input.role().equals("model") && told.add(List.of(input.path(), input.hints()))) {
                tables.add(facts(input.path(), input.hints(), "source"));
            }
        }
        ObjectNode answer = Json.object();
        answer.set("target", Json.strings(target.toList()));
        answer.put("overwrite", move.overwrite());
        answer.putNull("plan");
        answer.putNull("tree");
        answer.putObject("text").set("inputs", uses);
        answer.set("tables", tables);
        return answer;
    }

    private Declaration.Table declaration(Reading.Table table, Home home) throws Untold {
        Map<String, String> options = new LinkedHashMap<>();
        boolean isCertain = true;
        if (table.inherits()) {
            ObjectIdentifier base = home.qualify(table.like());
            Declaration like = find(base);
            if (like == null) {
                undeclared.add(base);
            }
            isCertain = like instanceof Declaration.Table known && known.options() != null;
            options.putAll(isCertain ? ((Declaration.Table) like).options() : Map.of());
        }
        options.putAll(table.options());
        return new Declaration.Table(null, isCertain ? options : null);
    }

    /** What the script declares: first what only its syntax told, then what the planner took. */
    Declaration find(ObjectIdentifier path) throws Untold {
        Declaration known = kept.get(path);
        if (known != null) {
            return known;
        }
        ContextResolvedTable declared = declared(path);
        if (declared == null) {
            return null;
        }
        ResolvedCatalogBaseTable<?> table = declared.getResolvedTable();
        if (table instanceof ResolvedCatalogView view) {
            return new Declaration.View(view.getResolvedSchema(), query(view), home());
        }
        return new Declaration.Table(table.getResolvedSchema(), LegacyOptions.restore(table.getOptions()));
    }

    private ContextResolvedTable declared(ObjectIdentifier path) {
        return session.environment().getCatalogManager().getTable(path).orElse(null);
    }

    /** Every name in it has its three parts. */
    private static SqlNode query(ResolvedCatalogView view) throws Untold {
        try {
            return SqlReader.query(view.getExpandedQuery());
        } catch (SqlParseException e) {
            throw new Untold("the query of a view cannot be read");
        }
    }

    private ObjectNode facts(ObjectIdentifier path, Map<String, String> hints, String role) throws Untold {
        ContextResolvedTable declared = kept.containsKey(path) ? null : declared(path);
        if (declared != null && declared.getResolvedTable() instanceof ResolvedCatalogTable table) {
            Map<String, String> options = new LinkedHashMap<>(table.getOptions());
            options.putAll(hints);
            return TableFacts.of(new TableDefinition(path, declared.isTemporary(), table.copy(options)), role);
        }
        Map<String, String> options = new LinkedHashMap<>();
        if (kept.get(path) instanceof Declaration.Table table) {
            if (table.options() == null) {
                throw new Untold("the definition of " + path.asSummaryString() + " is not known");
            }
            options.putAll(table.options());
        }
        options.putAll(hints);
        return TableFacts.ofOptions(path, role, options);
    }
}
