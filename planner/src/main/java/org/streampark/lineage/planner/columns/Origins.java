package org.streampark.lineage.planner.columns;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** The source columns that a value depends on, each with its uses, in the order in which the query names them. */
final class Origins {
    private final Map<SourceColumn, Integer> uses = new LinkedHashMap<>();
    private final Budget budget;

    Origins(Budget budget) {
        this.budget = budget;
    }

    static Origins of(SourceColumn column, Budget budget) {
        Origins origins = new Origins(budget);
        origins.add(column, Use.IDENTITY.bit());
        return origins;
    }

    private void add(SourceColumn column, int added) {
        budget.spend();
        uses.merge(column, added, (a, b) -> a | b);
    }

    /** Takes part in this value by {@code outer}; see {@link Use#through}. */
    void addAll(Origins other, int outer) {
        other.uses.forEach((column, inner) -> add(column, Use.through(inner, outer)));
    }

    /** A nested field of the value: where the value is a source column as it stands, that column's field. */
    Origins field(String name) {
        Origins fields = new Origins(budget);
        uses.forEach((column, inner) -> {
            if (Use.IDENTITY.isIn(inner)) {
                fields.add(column.field(name), Use.IDENTITY.bit());
            }
            if (!Use.isIdentity(inner)) {
                fields.add(column, Use.withoutIdentity(inner));
            }
        });
        return fields;
    }

    int size() {
        return uses.size();
    }

    void forEach(BiConsumer<SourceColumn, Integer> action) {
        uses.forEach(action);
    }
}
