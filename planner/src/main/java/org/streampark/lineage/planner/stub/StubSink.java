package org.streampark.lineage.planner.stub;

import java.util.List;
import java.util.Map;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.abilities.SupportsOverwrite;
import org.apache.flink.table.connector.sink.abilities.SupportsPartitioning;
import org.apache.flink.table.connector.sink.abilities.SupportsWritingMetadata;
import org.apache.flink.table.types.DataType;

/** Accepts every form of INSERT. It is never written to: nothing is executed here. */
class StubSink implements DynamicTableSink, SupportsPartitioning, SupportsOverwrite, SupportsWritingMetadata {
    final ResolvedSchema schema;

    StubSink(ResolvedSchema schema) {
        this.schema = schema;
    }

    /** One that has all the abilities this Flink knows: each class adds those of a newer one. */
    static DynamicTableSink of(ResolvedSchema schema) {
        if (Abilities.TARGET_COLUMNS) {
            return TargetedSink.of(schema);
        }
        if (Abilities.BUCKETING) {
            return BucketedSink.of(schema);
        }
        return Abilities.ROW_LEVEL_CHANGES ? ChangedSink.of(schema) : new StubSink(schema);
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
    public DynamicTableSink copy() {
        return of(schema);
    }

    @Override
    public String asSummaryString() {
        return "stub";
    }
}
