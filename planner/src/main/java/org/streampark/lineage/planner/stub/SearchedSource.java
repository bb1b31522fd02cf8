package org.streampark.lineage.planner.stub;

import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.VectorSearchTableSource;
import org.apache.flink.table.connector.source.search.VectorSearchFunctionProvider;

/** Can be searched as well (Flink 2.2 and newer). */
final class SearchedSource extends StubSource implements VectorSearchTableSource {
    private SearchedSource(TableDefinition definition) {
        super(definition);
    }

    static StubSource of(TableDefinition definition) {
        return new SearchedSource(definition);
    }

    @Override
    public VectorSearchRuntimeProvider getSearchRuntimeProvider(VectorSearchContext context) {
        return VectorSearchFunctionProvider.of(new StubSearch());
    }

    @Override
    public DynamicTableSource copy() {
        return of(definition());
    }
}
