package org.streampark.lineage.planner.stub;

import java.util.Collection;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.LookupFunction;

/** Its presence makes a join on processing time a lookup join. Never called. */
public final class StubLookup extends LookupFunction {
    @Override
    public Collection<RowData> lookup(RowData key) {
        return List.of();
    }
}
