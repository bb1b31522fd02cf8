package org.streampark.lineage.planner.stub;

import java.util.Optional;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.ModelProviderFactory;
import org.apache.flink.table.module.Module;

/** Serves temporary tables and models: the planner resolves those without their catalog and asks the modules. */
public final class StubModule implements Module {
    @Override
    public Optional<DynamicTableSourceFactory> getTableSourceFactory() {
        return Optional.of(StubFactory.INSTANCE);
    }

    @Override
    public Optional<DynamicTableSinkFactory> getTableSinkFactory() {
        return Optional.of(StubFactory.INSTANCE);
    }

    @Override
    public Optional<ModelProviderFactory> getModelProviderFactory() {
        return Optional.of(StubModelFactory.INSTANCE);
    }
}
