package org.streampark.lineage.planner.versions;

import java.util.Map;
import org.apache.flink.table.catalog.CatalogManager;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.ContextResolvedTable;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogBaseTable;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.operations.Operation;
import org.apache.flink.table.operations.ddl.CreateTableOperation;

/** Creating and dropping tables, whose methods have other types before 2.0. */
public final class Tables {
    private Tables() {}

    /** The table of CREATE TABLE: resolved since 2.0, as written before. */
    public static CatalogTable created(CreateTableOperation create) {
        return (CatalogTable) ByName.get(create, "getCatalogTable");
    }

    /** The same statement with other options. */
    public static CreateTableOperation withOptions(CreateTableOperation create, Map<String, String> options) {
        return create(
                create.getTableIdentifier(),
                created(create).copy(options),
                create.isIgnoreIfExists(),
                create.isTemporary());
    }

    public static CreateTableOperation create(
            ObjectIdentifier identifier, CatalogTable table, boolean ignoreIfExists, boolean temporary) {
        return ByName.make(CreateTableOperation.class, identifier, table, ignoreIfExists, temporary);
    }

    /** CREATE TABLE for a materialized table, which is written to like any other. */
    public static CreateTableOperation ofMaterialized(Operation create) {
        ResolvedCatalogTable table =
                (ResolvedCatalogTable) ByName.get(ByName.get(create, "getCatalogMaterializedTable"), "toResolvedCatalogTable");
        return create(materialized(create), table, false, false);
    }

    public static ObjectIdentifier materialized(Operation create) {
        return (ObjectIdentifier) ByName.get(create, "getTableIdentifier");
    }

    /** The query of a materialized table, every name in it with its three parts. */
    public static String queryOf(Operation createMaterialized) {
        Object table = ByName.get(createMaterialized, "getCatalogMaterializedTable");
        return (String) ByName.get(table, "getExpandedQuery", "getDefinitionQuery");
    }

    /** The table an INSERT writes, which may be a materialized one. */
    public static ResolvedCatalogTable target(ContextResolvedTable target) {
        ResolvedCatalogBaseTable<?> table = target.getResolvedTable();
        return table instanceof ResolvedCatalogTable plain
                ? plain
                : (ResolvedCatalogTable) ByName.get(table, "toResolvedCatalogTable");
    }

    public static void drop(CatalogManager manager, ObjectIdentifier table) {
        ByName.call(manager, "dropTable", table, true);
    }

    public static void dropView(CatalogManager manager, ObjectIdentifier view) {
        ByName.call(manager, "dropView", view, true);
    }

    public static boolean isTemporary(CatalogManager manager, ObjectIdentifier table) {
        return manager.getTable(table).map(ContextResolvedTable::isTemporary).orElse(false);
    }
}
