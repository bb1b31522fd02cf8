package org.streampark.lineage.planner.parsed;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.calcite.sql.SqlNode;

/**
 * The names a place in a query can see beside those of the catalogs: common table expressions, and the aliases of the
 * FROM items to its left and of the queries around it. Names are case-sensitive, as in Flink.
 */
final class Scope {
    /** A common table expression with the scope it was written in, which has the ones before it but not itself. */
    record Common(SqlNode query, Scope scope) {}

    private final Scope parent;
    private final String name;
    private final Common common;
    private final Map<String, SqlNode> aliases = new LinkedHashMap<>();

    private Scope(Scope parent, String name, Common common) {
        this.parent = parent;
        this.name = name;
        this.common = common;
    }

    static Scope outermost() {
        return new Scope(null, null, null);
    }

    Scope inner() {
        return new Scope(this, null, null);
    }

    /** This scope and one more common table expression. */
    Scope with(String commonName, SqlNode query) {
        return new Scope(this, commonName, new Common(query, this));
    }

    Common common(String wanted) {
        for (Scope scope = this; scope != null; scope = scope.parent) {
            if (wanted.equals(scope.name)) {
                return scope.common;
            }
        }
        return null;
    }

    void alias(String alias, SqlNode item) {
        aliases.put(alias, item);
    }

    /** The FROM item of this alias, from the inside out; null where none has it. */
    SqlNode aliased(String alias) {
        for (Scope scope = this; scope != null; scope = scope.parent) {
            if (scope.aliases.containsKey(alias)) {
                return scope.aliases.get(alias);
            }
        }
        return null;
    }

    /** The FROM items of this query alone, by alias. */
    Map<String, SqlNode> own() {
        return aliases;
    }
}
