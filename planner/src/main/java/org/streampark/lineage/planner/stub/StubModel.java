package org.streampark.lineage.planner.stub;

import java.util.Collection;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.PredictFunction;
import org.apache.flink.table.ml.ModelProvider;
import org.apache.flink.table.ml.PredictRuntimeProvider;

/** Lets ML_PREDICT validate and compile. Never called. */
final class StubModel implements PredictRuntimeProvider {
    static final StubModel INSTANCE = new StubModel();

    private StubModel() {}

    @Override
    public PredictFunction createPredictFunction(Context context) {
        return new Predict();
    }

    @Override
    public ModelProvider copy() {
        return this;
    }

    /** The function the planner sees. */
    public static final class Predict extends PredictFunction {
        @Override
        public Collection<RowData> predict(RowData features) {
            return List.of();
        }
    }
}
