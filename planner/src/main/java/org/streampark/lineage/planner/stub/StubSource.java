package org.streampark.lineage.planner.stub;

import java.util.List;
import java.util.Map;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.abilities.SupportsReadingMetadata;
import org.apache.flink.table.types.DataType;

/**
 * Can be scanned and looked up. It promises inserts only, which every operator accepts, and no push-down,
 * which keeps plans simple. It carries the definition it was made from, so the tree tells options exactly per use.
 */
public class StubSource implements ScanTableSource, LookupTableSource, SupportsReadingMetadata {
    private final TableDefinition definition;

    StubSource(TableDefinition definition) {
        this.definition = definition;
    }

    /** One that has all the abilities this Flink knows. */
    static StubSource of(TableDefinition definition) {
        return Abilities.VECTOR_SEARCH ? SearchedSource.of(definition) : new StubSource(definition);
    }

    public TableDefinition definition() {
        return definition;
    }

    @Override
    public ChangelogMode getChangelogMode() {
        return ChangelogMode.insertOnly();
    }

    /** Asked in batch mode only, for boundedness. */
    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
        return () -> true;
    }

    @Override
    public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
        return Abilities.LOOKUP_FUNCTION ? StubLookup.provider() : StubLookupOf115.provider();
    }

    @Override
    public Map<String, DataType> listReadableMetadata() {
        return MetadataColumns.of(definition.table().getResolvedSchema());
    }

    @Override
    public void applyReadableMetadata(List<String> keys, DataType producedType) {}

    @Override
    public DynamicTableSource copy() {
        return new StubSource(definition);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StubSource source && definition.equals(source.definition);
    }

    @Override
    public int hashCode() {
        return definition.hashCode();
    }

    @Override
    public String asSummaryString() {
        return "stub";
    }
}
