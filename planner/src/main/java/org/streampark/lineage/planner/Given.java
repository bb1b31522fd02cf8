package org.streampark.lineage.planner;

import java.util.HashSet;
import java.util.Set;

/**
 * What a prelude defined (tables, views and catalogs, by identifier or name). It stands for what the script finds in the
 * cluster; a definition of the script's own takes its place instead of failing because the name is taken.
 */
final class Given {
    private final Set<Object> names = new HashSet<>();
    private boolean isPrelude;

    void begin() {
        isPrelude = true;
    }

    void end() {
        isPrelude = false;
    }

    /** Notes a definition; true where it takes the place of a prelude's. */
    boolean replaces(Object name) {
        if (isPrelude) {
            names.add(name);
            return false;
        }
        return names.remove(name);
    }
}
