package org.streampark.lineage.planner.parsed;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an item of a FROM clause, or a query, offers by name: columns that are known (with their type, or null), tables
 * whose columns may have any name, and ({@code opaque}) perhaps others of which nothing is known.
 */
record Relation(Map<String, String> known, List<OpenTable> open, boolean opaque) {
    static final Relation OPAQUE = new Relation(Map.of(), List.of(), true);

    static Relation of(Map<String, String> known) {
        return new Relation(known, List.of(), false);
    }

    static Relation named(List<String> names) {
        Map<String, String> known = new LinkedHashMap<>();
        names.forEach(name -> known.put(name, null));
        return of(known);
    }

    /** All columns of all of them, as {@code *} takes them. */
    static Relation union(Iterable<Relation> relations) {
        Map<String, String> known = new LinkedHashMap<>();
        List<OpenTable> open = new ArrayList<>();
        boolean opaque = false;
        for (Relation relation : relations) {
            relation.known.forEach(known::putIfAbsent);
            relation.open.stream().filter(table -> !open.contains(table)).forEach(open::add);
            opaque |= relation.opaque;
        }
        return new Relation(known, open, opaque);
    }

    Relation and(List<String> names) {
        return union(List.of(this, named(names)));
    }

    /** Whether something but the known columns may be there. */
    boolean isOpen() {
        return opaque || !open.isEmpty();
    }
}
