package org.streampark.lineage.planner.stub;

import org.streampark.lineage.planner.versions.ByName;

/**
 * Which optional interfaces of sources and sinks this Flink knows. A class that implements one must not be loaded where
 * it is missing, so each such class is only reached behind its constant here, and makes itself.
 */
final class Abilities {
    private static final String CONNECTOR = "org.apache.flink.table.connector.";

    /** Since 1.16. */
    static final boolean LOOKUP_FUNCTION = ByName.exists("org.apache.flink.table.functions.LookupFunction");
    /** Since 1.17. */
    static final boolean ROW_LEVEL_CHANGES = ByName.exists(CONNECTOR + "sink.abilities.SupportsRowLevelUpdate");
    /** Since 1.20. */
    static final boolean BUCKETING = ByName.exists(CONNECTOR + "sink.abilities.SupportsBucketing");
    /** Since 2.2. */
    static final boolean TARGET_COLUMNS = ByName.exists(CONNECTOR + "sink.abilities.SupportsTargetColumnWriting");
    /** Since 2.2. */
    static final boolean VECTOR_SEARCH = ByName.exists(CONNECTOR + "source.VectorSearchTableSource");

    private Abilities() {}
}
