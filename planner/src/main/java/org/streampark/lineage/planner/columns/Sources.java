package org.streampark.lineage.planner.columns;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.planner.plan.schema.TableSourceTable;
import org.streampark.lineage.planner.stub.StubSource;
import org.streampark.lineage.planner.stub.TableDefinition;

/** The columns of scanned tables under the names they are declared with. */
final class Sources {
    /** What some planners put before the key of a metadata column. */
    private static final String METADATA = "$metadata$";

    private final Map<TableDefinition, Integer> indexes = new HashMap<>();

    /** @param sources in the order of the answer, where the sink stands before them */
    Sources(Collection<TableDefinition> sources) {
        for (TableDefinition source : sources) {
            indexes.put(source, indexes.size() + 1);
        }
    }

    List<Origins> columns(TableScan scan, Budget budget) {
        TableSourceTable source = scan.getTable().unwrap(TableSourceTable.class);
        Integer index = source != null && source.tableSource() instanceof StubSource stub
                ? indexes.get(stub.definition())
                : null;
        if (index == null) {
            throw UnreadableTree.unknown(scan);
        }
        ResolvedSchema schema = ((StubSource) source.tableSource()).definition().table().getResolvedSchema();
        List<String> declared = produced(schema);
        List<Origins> columns = new ArrayList<>();
        for (RelDataTypeField field : scan.getRowType().getFieldList()) {
            String name = field.getIndex() < declared.size()
                    ? declared.get(field.getIndex())
                    : ofMetadata(field.getName(), schema);
            columns.add(Origins.of(new SourceColumn(index, name, field.getType()), budget));
        }
        return columns;
    }

    /** A source produces the physical columns first, metadata behind them; computed columns are made above the scan. */
    private static List<String> produced(ResolvedSchema schema) {
        return schema.getColumns().stream().filter(Column::isPhysical).map(Column::getName).toList();
    }

    /** Planners call it by the declared name, or (some before 2.0) by the key. */
    private static String ofMetadata(String field, ResolvedSchema schema) {
        String key = field.startsWith(METADATA) ? field.substring(METADATA.length()) : field;
        String byKey = null;
        for (Column column : schema.getColumns()) {
            if (column instanceof Column.MetadataColumn metadata) {
                if (metadata.getName().equals(field)) {
                    return field;
                }
                if (byKey == null && metadata.getMetadataKey().orElse("").equals(key)) {
                    byKey = metadata.getName();
                }
            }
        }
        if (byKey == null) {
            throw new UnreadableTree("a scan has a column that its table does not declare");
        }
        return byKey;
    }
}
