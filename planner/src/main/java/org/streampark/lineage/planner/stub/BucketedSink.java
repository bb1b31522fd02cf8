package org.streampark.lineage.planner.stub;

import java.util.EnumSet;
import java.util.Set;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.TableDistribution;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.abilities.SupportsBucketing;

/** Accepts DISTRIBUTED BY as well. */
class BucketedSink extends ChangedSink implements SupportsBucketing {
    BucketedSink(ResolvedSchema schema) {
        super(schema);
    }

    static DynamicTableSink of(ResolvedSchema schema) {
        return new BucketedSink(schema);
    }

    @Override
    public Set<TableDistribution.Kind> listAlgorithms() {
        return EnumSet.allOf(TableDistribution.Kind.class);
    }

    @Override
    public boolean requiresBucketCount() {
        return false;
    }
}
