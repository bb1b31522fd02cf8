package org.streampark.lineage.planner.stub;

import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;

/** A table as one statement uses it: the options of its hints are already merged into {@code table}. */
public record TableDefinition(ObjectIdentifier identifier, boolean temporary, ResolvedCatalogTable table) {
    /** Within one statement the options tell the uses of a table apart; some versions' tables equal themselves only. */
    @Override
    public boolean equals(Object other) {
        return other instanceof TableDefinition definition
                && temporary == definition.temporary
                && identifier.equals(definition.identifier)
                && table.getOptions().equals(definition.table.getOptions());
    }

    @Override
    public int hashCode() {
        return 31 * identifier.hashCode() + table.getOptions().hashCode();
    }
}
