package org.streampark.lineage.planner.columns;

import java.util.Collection;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableModify;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.streampark.lineage.planner.protocol.Json;
import org.streampark.lineage.planner.stub.TableDefinition;

/** For each column that an INSERT writes, the source columns it depends on, in the form of the answer. */
public final class SinkColumns {
    /** Steps of one walk, some tenths of a second; ordinary INSERTs take a few hundred. */
    private static final int MAX_STEPS = 1_000_000;
    /** Entries of one INSERT, two megabytes. */
    private static final int MAX_ORIGINS = 20_000;

    private SinkColumns() {}

    /**
     * @param query the validated query, whose columns are those of the sink by position
     * @param sources the tables of its scans in the order of the answer, without the sink
     * @return {@code columns}, {@code indirect} and {@code expressions} of the answer
     * @throws UnreadableTree when anything in the query is not known, so that the answer would be incomplete
     */
    public static ObjectNode of(RelNode query, ResolvedSchema sink, Collection<TableDefinition> sources) {
        QueryWalk walk = new QueryWalk(new Sources(sources), new Budget(MAX_STEPS));
        ObjectNode answer = Json.object();
        ObjectNode columns = answer.putObject("columns");
        if (query instanceof TableModify modify) {
            modified(modify, walk, columns);
        } else {
            List<String> written =
                    sink.getColumns().stream().filter(Column::isPersisted).map(Column::getName).toList();
            put(columns, written, walk.columns(query));
            describe(answer.putObject("expressions"), written, query);
        }
        put(answer.putArray("indirect"), walk.influences());
        return answer;
    }

    /** What computes the columns that are more than a column of a source. */
    private static void describe(ObjectNode expressions, List<String> names, RelNode query) {
        for (int i = 0; i < names.size(); i++) {
            String text = Description.of(query, i);
            if (text != null) {
                expressions.put(names.get(i), text);
            }
        }
    }

    /** UPDATE: the new values stand behind the old row. DELETE writes no column. */
    private static void modified(TableModify modify, QueryWalk walk, ObjectNode columns) {
        List<Origins> values = walk.columns(modify.getInput());
        List<String> updated = modify.getUpdateColumnList();
        if (updated != null) {
            put(columns, updated, values.subList(values.size() - updated.size(), values.size()));
        }
    }

    private static void put(ObjectNode columns, List<String> names, List<Origins> origins) {
        if (names.size() != origins.size()) {
            throw new UnreadableTree("the query has " + origins.size() + " columns and the sink " + names.size());
        }
        if (origins.stream().mapToInt(Origins::size).sum() > MAX_ORIGINS) {
            throw new UnreadableTree("the columns have too many origins");
        }
        for (int i = 0; i < names.size(); i++) {
            put(columns.putArray(names.get(i)), origins.get(i));
        }
    }

    private static void put(ArrayNode entries, Origins origins) {
        origins.forEach((column, uses) -> {
            for (Use use : Use.values()) {
                if (use.isIn(uses)) {
                    ObjectNode entry = entries.addObject()
                            .put("table", column.table())
                            .put("field", column.path())
                            .put("type", use.isDirect() ? "DIRECT" : "INDIRECT")
                            .put("subtype", use.name());
                    if (use.isDirect() && Use.isMasked(uses)) {
                        entry.put("masking", true);
                    }
                }
            }
        });
    }
}
