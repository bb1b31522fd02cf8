package org.streampark.lineage.planner.stub;

import java.util.Collection;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.VectorSearchFunction;

/** Lets VECTOR_SEARCH validate. Never called. */
public final class StubSearch extends VectorSearchFunction {
    @Override
    public Collection<RowData> vectorSearch(int topK, RowData query) {
        return List.of();
    }
}
