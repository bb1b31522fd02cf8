package org.streampark.lineage.planner.stub;

import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;

/** A table as one statement uses it: the options of its hints are already merged into {@code table}. */
public record TableDefinition(ObjectIdentifier identifier, boolean temporary, ResolvedCatalogTable table) {}
