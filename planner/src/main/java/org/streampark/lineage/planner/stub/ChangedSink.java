package org.streampark.lineage.planner.stub;

import java.util.List;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.connector.RowLevelModificationScanContext;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.abilities.SupportsRowLevelDelete;
import org.apache.flink.table.connector.sink.abilities.SupportsRowLevelUpdate;

/** Accepts UPDATE and DELETE as well. */
class ChangedSink extends StubSink implements SupportsRowLevelDelete, SupportsRowLevelUpdate {
    ChangedSink(ResolvedSchema schema) {
        super(schema);
    }

    static DynamicTableSink of(ResolvedSchema schema) {
        return new ChangedSink(schema);
    }

    @Override
    public RowLevelDeleteInfo applyRowLevelDelete(RowLevelModificationScanContext context) {
        return new RowLevelDeleteInfo() {};
    }

    @Override
    public RowLevelUpdateInfo applyRowLevelUpdate(List<Column> updated, RowLevelModificationScanContext context) {
        return new RowLevelUpdateInfo() {};
    }
}
