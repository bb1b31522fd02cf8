package org.streampark.lineage.planner;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.types.logical.LogicalType;
import org.streampark.lineage.planner.protocol.Json;
import org.streampark.lineage.planner.stub.TableDefinition;

/** A table definition as it goes into the answer. */
final class TableFacts {
    private TableFacts() {}

    static ObjectNode of(TableDefinition definition, String role) {
        ResolvedCatalogTable table = definition.table();
        ResolvedSchema schema = table.getResolvedSchema();
        Map<String, String> options = new TreeMap<>(LegacyOptions.restore(table.getOptions()));
        ObjectNode facts = Json.object();
        facts.set("path", Json.strings(definition.identifier().toList()));
        facts.put("role", role);
        facts.put("temporary", definition.temporary());
        facts.set("options", Json.strings(options));
        facts.set("columns", columns(schema));
        facts.set(
                "primaryKey",
                Json.strings(schema.getPrimaryKey().map(key -> key.getColumns()).orElse(List.of())));
        facts.set("partitionKeys", Json.strings(table.getPartitionKeys()));
        if (table.getComment() != null && !table.getComment().isEmpty()) {
            facts.put("comment", table.getComment());
        }
        return facts;
    }

    /** A table of which only these options are known. */
    static ObjectNode ofOptions(ObjectIdentifier path, String role, Map<String, String> options) {
        ObjectNode facts = Json.object();
        facts.set("path", Json.strings(path.toList()));
        facts.put("role", role);
        facts.put("temporary", false);
        facts.set("options", Json.strings(new TreeMap<>(options)));
        facts.set("columns", Json.array());
        facts.set("primaryKey", Json.array());
        facts.set("partitionKeys", Json.array());
        return facts;
    }

    private static ArrayNode columns(ResolvedSchema schema) {
        ArrayNode columns = Json.array();
        for (Column column : schema.getColumns()) {
            ObjectNode facts = columns.addObject();
            facts.put("name", column.getName());
            facts.put("type", type(column.getDataType().getLogicalType()));
            facts.put("kind", kind(column));
            column.getComment().ifPresent(comment -> facts.put("comment", comment));
        }
        return columns;
    }

    private static String kind(Column column) {
        if (column instanceof Column.MetadataColumn) {
            return "metadata";
        }
        return column instanceof Column.ComputedColumn ? "computed" : "physical";
    }

    /** The type as Flink prints it, without the column's own NOT NULL and without the marks of time attributes. */
    private static String type(LogicalType type) {
        return type.copy(true).asSummaryString().replace(" *ROWTIME*", "").replace(" *PROCTIME*", "");
    }
}
