package org.streampark.lineage.planner.stub;

import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.factories.ModelProviderFactory;
import org.apache.flink.table.ml.ModelProvider;

/** Makes a provider of any model, whatever its options say. */
final class StubModelFactory implements ModelProviderFactory {
    static final StubModelFactory INSTANCE = new StubModelFactory();

    private StubModelFactory() {}

    @Override
    public ModelProvider createModelProvider(Context context) {
        return StubModel.INSTANCE;
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
