package org.streampark.lineage.planner.stub;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.types.DataType;

/** Whatever metadata a table declares, its stub offers: key (or name) with the declared type. */
final class MetadataColumns {
    private MetadataColumns() {}

    static Map<String, DataType> of(ResolvedSchema schema) {
        Map<String, DataType> keys = new LinkedHashMap<>();
        for (Column column : schema.getColumns()) {
            if (column instanceof Column.MetadataColumn metadata) {
                keys.put(metadata.getMetadataKey().orElse(metadata.getName()), metadata.getDataType());
            }
        }
        return keys;
    }
}
