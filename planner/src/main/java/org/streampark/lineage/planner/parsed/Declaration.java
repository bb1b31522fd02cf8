package org.streampark.lineage.planner.parsed;

import java.util.Map;
import org.apache.calcite.sql.SqlNode;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedSchema;

/** What the script says about a path. */
public sealed interface Declaration {
    /**
     * A table. {@code schema} is null where it could not be resolved; {@code options} are null where they are not
     * known, because they come from a table that nobody declared or stand in a statement that nobody understands.
     */
    record Table(ResolvedSchema schema, Map<String, String> options) implements Declaration {}

    /** A view: short names in its query belong to {@code home}. */
    record View(ResolvedSchema schema, SqlNode query, Home home) implements Declaration {}

    /** All that a walk asks about names. */
    interface Lookup {
        /** Null for what the script declares nowhere. */
        Declaration find(ObjectIdentifier path) throws Untold;
    }

    /** Null where the columns are not known. */
    ResolvedSchema schema();
}
