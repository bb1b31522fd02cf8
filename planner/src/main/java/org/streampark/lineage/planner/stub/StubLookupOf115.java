package org.streampark.lineage.planner.stub;

import org.apache.flink.table.connector.source.LookupTableSource.LookupRuntimeProvider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.TableFunction;
import org.streampark.lineage.planner.versions.ByName;

/** What lookups were before 1.16. Never called. */
public final class StubLookupOf115 extends TableFunction<RowData> {
    static LookupRuntimeProvider provider() {
        return (LookupRuntimeProvider) ByName.callStatic(
                "org.apache.flink.table.connector.source.TableFunctionProvider", "of", new StubLookupOf115());
    }

    public void eval(Object... keys) {}
}
