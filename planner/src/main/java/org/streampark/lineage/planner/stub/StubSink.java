package org.streampark.lineage.planner.stub;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.TableDistribution;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.RowLevelModificationScanContext;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.abilities.SupportsBucketing;
import org.apache.flink.table.connector.sink.abilities.SupportsOverwrite;
import org.apache.flink.table.connector.sink.abilities.SupportsPartitioning;
import org.apache.flink.table.connector.sink.abilities.SupportsRowLevelDelete;
import org.apache.flink.table.connector.sink.abilities.SupportsRowLevelUpdate;
import org.apache.flink.table.connector.sink.abilities.SupportsTargetColumnWriting;
import org.apache.flink.table.connector.sink.abilities.SupportsWritingMetadata;
import org.apache.flink.table.types.DataType;

/** Accepts every form of INSERT, UPDATE and DELETE. It is never written to: nothing is executed here. */
final class StubSink
        implements DynamicTableSink,
                SupportsPartitioning,
                SupportsOverwrite,
                SupportsWritingMetadata,
                SupportsBucketing,
                SupportsRowLevelDelete,
                SupportsRowLevelUpdate,
                SupportsTargetColumnWriting {
    private final ResolvedSchema schema;

    StubSink(ResolvedSchema schema) {
        this.schema = schema;
    }

    /** Upsert where there is a key, because ON CONFLICT is legal for such sinks only; else whatever is asked for. */
    @Override
    public ChangelogMode getChangelogMode(ChangelogMode requested) {
        return schema.getPrimaryKey().isPresent() ? ChangelogMode.upsert() : requested;
    }

    @Override
    public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
        throw new UnsupportedOperationException("plans are compiled, never run");
    }

    @Override
    public Map<String, DataType> listWritableMetadata() {
        return MetadataColumns.of(schema);
    }

    @Override
    public void applyWritableMetadata(List<String> keys, DataType consumedType) {}

    @Override
    public void applyStaticPartition(Map<String, String> partition) {}

    @Override
    public void applyOverwrite(boolean overwrite) {}

    @Override
    public Set<TableDistribution.Kind> listAlgorithms() {
        return EnumSet.allOf(TableDistribution.Kind.class);
    }

    @Override
    public boolean requiresBucketCount() {
        return false;
    }

    @Override
    public RowLevelDeleteInfo applyRowLevelDelete(RowLevelModificationScanContext context) {
        return new RowLevelDeleteInfo() {};
    }

    @Override
    public RowLevelUpdateInfo applyRowLevelUpdate(List<Column> updated, RowLevelModificationScanContext context) {
        return new RowLevelUpdateInfo() {};
    }

    @Override
    public boolean applyTargetColumns(int[][] columns) {
        return true;
    }

    @Override
    public DynamicTableSink copy() {
        return new StubSink(schema);
    }

    @Override
    public String asSummaryString() {
        return "stub";
    }
}
