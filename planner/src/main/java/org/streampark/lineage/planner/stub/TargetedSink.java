package org.streampark.lineage.planner.stub;

import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.abilities.SupportsTargetColumnWriting;

/** Accepts a list of columns as well. */
final class TargetedSink extends BucketedSink implements SupportsTargetColumnWriting {
    private TargetedSink(ResolvedSchema schema) {
        super(schema);
    }

    static DynamicTableSink of(ResolvedSchema schema) {
        return new TargetedSink(schema);
    }

    @Override
    public boolean applyTargetColumns(int[][] columns) {
        return true;
    }
}
