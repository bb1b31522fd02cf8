package org.streampark.lineage.planner.parsed;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlNode;
import org.apache.flink.table.catalog.ObjectIdentifier;

/**
 * What the expressions of one query can name: its FROM items, and those of the queries around it. A name goes to a table
 * with unknown columns only where nothing else can be meant.
 */
final class NameScope {
    /** A common table expression with the scope it was written in. */
    record Common(SqlNode query, NameScope scope) {}

    private final NameScope parent;
    private final Map<String, Relation> byAlias = new LinkedHashMap<>();
    private final List<Relation> items = new ArrayList<>();
    private final Set<String> merged = new HashSet<>();
    private final Map<String, Common> commons = new LinkedHashMap<>();
    private final Set<String> qualifiers = new HashSet<>();

    NameScope(NameScope parent) {
        this.parent = parent;
    }

    NameScope parent() {
        return parent;
    }

    void common(String name, SqlNode query) {
        NameScope before = new NameScope(parent);
        before.commons.putAll(commons);
        commons.put(name, new Common(query, before));
    }

    Common common(String name) {
        for (NameScope scope = this; scope != null; scope = scope.parent) {
            Common found = scope.commons.get(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    void add(String alias, Relation relation) {
        items.add(relation);
        if (alias != null) {
            byAlias.put(alias, relation);
        }
    }

    /** A table stands here without an alias, perhaps: its columns may be named by its whole path, too. */
    void qualified(ObjectIdentifier path) {
        qualifiers.add(path.getCatalogName());
        qualifiers.add(path.getDatabaseName());
    }

    /** How many items there are so far. */
    int size() {
        return items.size();
    }

    List<Relation> items() {
        return items;
    }

    Relation aliased(String alias) {
        for (NameScope scope = this; scope != null; scope = scope.parent) {
            Relation found = scope.byAlias.get(alias);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** JOIN … USING (name): both sides have it, and it is one column from then on. */
    void merge(String name, int from, int between) throws Untold {
        Relation left = Relation.union(items.subList(from, between));
        Relation right = Relation.union(items.subList(between, items.size()));
        use(List.of(name), right.known().get(name), left);
        use(List.of(name), left.known().get(name), right);
        merged.add(name);
    }

    /** A column named without its table, or a field inside of one. */
    void use(List<String> field, String type) throws Untold {
        String column = field.get(0);
        for (NameScope scope = this; scope != null; scope = scope.parent) {
            if (scope.merged.contains(column)) {
                return;
            }
            Relation all = Relation.union(scope.items);
            if (all.known().containsKey(column)) {
                return;
            }
            if (all.isOpen()) {
                if (field.size() > 1 && isQualifier(column)) {
                    throw new Untold("what " + column + " stands for is not certain");
                }
                for (NameScope outer = scope.parent; outer != null; outer = outer.parent) {
                    Relation around = Relation.union(outer.items);
                    if (around.known().containsKey(column) || around.isOpen()) {
                        throw new Untold("whose column " + column + " is, is not certain");
                    }
                }
                use(field, type, all);
                return;
            }
        }
    }

    private boolean isQualifier(String name) {
        for (NameScope scope = this; scope != null; scope = scope.parent) {
            if (scope.qualifiers.contains(name)) {
                return true;
            }
        }
        return false;
    }

    /** A column of this relation, or a field inside of one. */
    static void use(List<String> field, String type, Relation relation) throws Untold {
        OpenTable owner = owner(field.get(0), relation);
        if (owner != null) {
            owner.use(field, type);
        }
    }

    static void useAsTime(String column, Relation relation) throws Untold {
        OpenTable owner = owner(column, relation);
        if (owner != null) {
            owner.useAsTime(column);
        }
    }

    /** The table of a column; null where the column is known, or no table with unknown columns is there. */
    private static OpenTable owner(String column, Relation relation) throws Untold {
        if (relation.known().containsKey(column) || relation.open().isEmpty()) {
            return null;
        }
        if (relation.opaque() || relation.open().size() > 1) {
            throw new Untold("whose column " + column + " is, is not certain");
        }
        return relation.open().get(0);
    }

    /** The type of a known column; null where it is not told. */
    String type(List<String> names) {
        if (names.size() > 2) {
            return null;
        }
        String column = names.get(names.size() - 1);
        Relation relation = names.size() == 2 ? aliased(names.get(0)) : Relation.union(items);
        return relation == null ? null : relation.known().get(column);
    }
}
