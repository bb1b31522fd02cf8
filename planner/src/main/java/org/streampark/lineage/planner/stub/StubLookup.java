package org.streampark.lineage.planner.stub;

import java.util.Collection;
import java.util.List;
import org.apache.flink.table.connector.source.LookupTableSource.LookupRuntimeProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.LookupFunction;

/** Its presence makes a join on processing time a lookup join. Never called. */
public final class StubLookup extends LookupFunction {
    static LookupRuntimeProvider provider() {
        return LookupFunctionProvider.of(new StubLookup());
    }

    @Override
    public Collection<RowData> lookup(RowData key) {
        return List.of();
    }
}
