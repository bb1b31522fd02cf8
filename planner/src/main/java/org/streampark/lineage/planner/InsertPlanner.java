package org.streampark.lineage.planner;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.flink.table.catalog.ContextResolvedTable;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.operations.SinkModifyOperation;
import org.apache.flink.table.planner.operations.PlannerQueryOperation;
import org.streampark.lineage.planner.columns.SinkColumns;
import org.streampark.lineage.planner.protocol.Json;
import org.streampark.lineage.planner.stub.TableDefinition;
import org.streampark.lineage.planner.versions.Tables;

/**
 * Makes the answer for one INSERT: first tables and columns of the validated tree, which nearly always succeeds, then the
 * compiled plan. Whatever fails, the rest stays.
 */
final class InsertPlanner {
    private final Session session;
    private final boolean compile;

    InsertPlanner(Session session, boolean compile) {
        this.session = session;
        this.compile = compile;
    }

    ObjectNode plan(SinkModifyOperation insert) {
        session.catalogs().tablesUsed();
        ObjectNode answer = tree(insert);
        answer.putNull("plan");
        if (compile) {
            compile(insert, answer);
        }
        return answer;
    }

    /** The answer without a plan. */
    static ObjectNode tree(SinkModifyOperation insert) {
        ContextResolvedTable target = insert.getContextResolvedTable();
        ObjectNode answer = Json.object();
        answer.set("target", Json.strings(target.getIdentifier().toList()));
        answer.put("overwrite", insert.isOverwrite());
        ArrayNode tables = Json.array().add(TableFacts.of(definition(insert), "sink"));
        answer.putNull("tree");
        tree(insert, answer, tables);
        answer.set("tables", tables);
        return answer;
    }

    private static void tree(SinkModifyOperation insert, ObjectNode answer, ArrayNode tables) {
        try {
            RelNode query = ((PlannerQueryOperation) insert.getChild()).getCalciteTree();
            TreeWalk walk = TreeWalk.of(query);
            List<ObjectNode> sources = walk.definitions().stream()
                    .map(definition -> TableFacts.of(definition, "source"))
                    .toList();
            ArrayNode inputs = answer.putObject("tree").putArray("inputs");
            walk.inputs().forEach(input -> inputs.addObject()
                    .put("role", input.role())
                    .set("path", Json.strings(input.path())));
            tables.addAll(sources);
            columns(insert, query, walk.definitions(), answer);
        } catch (Throwable e) {
            answer.putNull("tree");
        }
    }

    /** Columns name their tables by the place in the answer, so they are told of exactly these. */
    private static void columns(
            SinkModifyOperation insert, RelNode query, Set<TableDefinition> sources, ObjectNode answer) {
        try {
            ResolvedSchema sink = insert.getContextResolvedTable().getResolvedSchema();
            answer.setAll(SinkColumns.of(query, sink, sources));
        } catch (Throwable e) {
            Failure failure = Failure.of(e);
            answer.putObject("columnsError").put("class", failure.kind()).put("message", failure.message());
        }
    }

    private static TableDefinition definition(SinkModifyOperation insert) {
        ContextResolvedTable target = insert.getContextResolvedTable();
        ResolvedCatalogTable table = Tables.target(target);
        Map<String, String> options = new LinkedHashMap<>(table.getOptions());
        options.putAll(insert.getDynamicOptions());
        return new TableDefinition(target.getIdentifier(), target.isTemporary(), table.copy(options));
    }

    private void compile(SinkModifyOperation insert, ObjectNode answer) {
        try {
            String plan = session.environment().compilePlan(List.of(insert)).asJsonString();
            answer.set("plan", parse(plan));
        } catch (Throwable e) {
            Failure failure = Failure.of(e);
            answer.putObject("planError").put("class", failure.kind()).put("message", failure.message());
        }
    }

    /** Flink prints plans over many lines; here a frame is one. */
    private static JsonNode parse(String plan) {
        try {
            return Json.parse(plan);
        } catch (IOException e) {
            throw new IllegalStateException("the compiled plan cannot be read back: " + e.getMessage());
        }
    }
}
