package org.streampark.lineage.planner.parsed;

import java.util.List;
import org.apache.flink.table.catalog.ObjectIdentifier;

/** The catalog and database that short names belong to, as they were where a text was written. */
public record Home(String catalog, String database) {
    /** @throws Untold for a name of more than three parts */
    public ObjectIdentifier qualify(List<String> names) throws Untold {
        return switch (names.size()) {
            case 1 -> ObjectIdentifier.of(catalog, database, names.get(0));
            case 2 -> ObjectIdentifier.of(catalog, names.get(0), names.get(1));
            case 3 -> ObjectIdentifier.of(names.get(0), names.get(1), names.get(2));
            default -> throw new Untold(String.join(".", names) + " names no table");
        };
    }
}
