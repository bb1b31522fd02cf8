package org.streampark.lineage.planner;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.table.catalog.ObjectIdentifier;

/**
 * What a prelude defined: tables and views by identifier, catalogs by name. It stands for what the script finds in the
 * cluster. A later prelude, or a definition of the script's own, takes its place and does not fail over the name.
 */
final class Given {
    private final Set<Object> names = new LinkedHashSet<>();
    private boolean isPrelude;

    void begin() {
        isPrelude = true;
    }

    void end() {
        isPrelude = false;
    }

    /** The tables and views among them whose place nothing took. */
    List<ObjectIdentifier> tables() {
        return names.stream()
                .filter(ObjectIdentifier.class::isInstance)
                .map(ObjectIdentifier.class::cast)
                .toList();
    }

    /** Notes a definition; true where it takes the place of a prelude's. */
    boolean replaces(Object name) {
        return isPrelude ? !names.add(name) : names.remove(name);
    }
}
