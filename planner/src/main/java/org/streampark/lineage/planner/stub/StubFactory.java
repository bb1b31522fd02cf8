package org.streampark.lineage.planner.stub;

import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;

/** Makes a source or sink of any table, whatever its connector: options are neither read nor validated. */
final class StubFactory implements DynamicTableSourceFactory, DynamicTableSinkFactory {
    static final StubFactory INSTANCE = new StubFactory();

    private StubFactory() {}

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        return StubSource.of(new TableDefinition(
                context.getObjectIdentifier(), context.isTemporary(), context.getCatalogTable()));
    }

    @Override
    public DynamicTableSink createDynamicTableSink(Context context) {
        return StubSink.of(context.getCatalogTable().getResolvedSchema());
    }

    @Override
    public String factoryIdentifier() {
        return "stub";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }
}
