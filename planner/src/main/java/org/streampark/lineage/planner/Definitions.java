package org.streampark.lineage.planner;

import java.util.Map;
import java.util.Set;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.operations.Operation;
import org.apache.flink.table.operations.UseCatalogOperation;
import org.apache.flink.table.operations.UseDatabaseOperation;
import org.apache.flink.table.operations.ddl.AlterCatalogOptionsOperation;
import org.apache.flink.table.operations.ddl.AlterCatalogResetOperation;
import org.apache.flink.table.operations.ddl.AlterViewAsOperation;
import org.apache.flink.table.operations.ddl.CreateCatalogOperation;
import org.apache.flink.table.operations.ddl.CreateDatabaseOperation;
import org.apache.flink.table.operations.ddl.CreateTableOperation;
import org.apache.flink.table.operations.ddl.CreateViewOperation;
import org.apache.flink.table.operations.ddl.DropCatalogOperation;
import org.apache.flink.table.operations.ddl.DropViewOperation;
import org.streampark.lineage.planner.versions.ByName;

/** Everything that defines, changes, drops or selects a catalog, database, table, view or model. */
final class Definitions {
    /** Partitions and materialized tables are the business of the external system; functions stay stubs. */
    private static final Set<String> LEFT_ALONE = Set.of(
            "AddPartitions",
            "DropPartitions",
            "AlterPartitionProperties",
            "AlterCatalogComment",
            "AlterCatalogFunction",
            "DropCatalogFunction",
            "DropTempSystemFunction",
            "DropMaterializedTable");

    private final Session session;

    Definitions(Session session) {
        this.session = session;
    }

    /** Executes it on the stub catalogs; false where it is no definition or one that lineage does not depend on. */
    boolean take(Operation operation) {
        String name = Operations.name(operation);
        switch (name) {
            case "CreateCatalog" -> createCatalog((CreateCatalogOperation) operation);
            case "AlterCatalogOptions" -> {
                AlterCatalogOptionsOperation alter = (AlterCatalogOptionsOperation) operation;
                session.catalogs().alter(alter.getCatalogName(), alter.getProperties(), Set.of());
            }
            case "AlterCatalogReset" -> {
                AlterCatalogResetOperation alter = (AlterCatalogResetOperation) operation;
                session.catalogs().alter(alter.getCatalogName(), Map.of(), alter.getResetKeys());
            }
            case "DropCatalog" -> {
                session.execute(operation);
                session.catalogs().drop(((DropCatalogOperation) operation).getCatalogName());
            }
            case "UseCatalog" -> {
                session.catalogs().ensure(((UseCatalogOperation) operation).getCatalogName());
                session.execute(operation);
            }
            case "UseDatabase" -> {
                UseDatabaseOperation use = (UseDatabaseOperation) operation;
                session.catalogs().ensureDatabase(use.getCatalogName(), use.getDatabaseName());
                session.execute(operation);
            }
            case "CreateDatabase" -> {
                session.catalogs().ensure(((CreateDatabaseOperation) operation).getCatalogName());
                session.execute(operation);
            }
            case "CreateTable" -> createTable((CreateTableOperation) operation);
            case "CreateView" -> {
                CreateViewOperation view = (CreateViewOperation) operation;
                if (!view.isIgnoreIfExists() && !view.isTemporary()) {
                    replaceGiven(view.getViewIdentifier());
                }
                createView(view.getViewIdentifier(), view.getCatalogView().getExpandedQuery(), operation);
                session.views().created(view);
            }
            case "AlterViewAs" -> {
                AlterViewAsOperation view = (AlterViewAsOperation) operation;
                session.views().forget(view.getViewIdentifier());
                createView(view.getViewIdentifier(), view.getNewView().getExpandedQuery(), operation);
            }
            case "DropView" -> {
                session.views().forget(((DropViewOperation) operation).getViewIdentifier());
                return drop(operation);
            }
            default -> {
                return takeByVerb(name, operation);
            }
        }
        return true;
    }

    private boolean takeByVerb(String name, Operation operation) {
        if (LEFT_ALONE.contains(name) || name.startsWith("AlterMaterializedTable")) {
            return false;
        }
        if (name.startsWith("Drop")) {
            return drop(operation);
        }
        if (name.startsWith("Alter") || name.equals("CreateModel")) {
            session.execute(operation);
            return true;
        }
        return false;
    }

    /** What is not there to be dropped may well be in the external system. */
    private boolean drop(Operation operation) {
        try {
            session.execute(operation);
            return true;
        } catch (ValidationException absent) {
            return false;
        }
    }

    private void createCatalog(CreateCatalogOperation create) {
        // the clause is as old as 1.18
        boolean ignoreIfExists = ByName.has(create, "isIgnoreIfExists") && create.isIgnoreIfExists();
        if (!ignoreIfExists && session.given().replaces(create.getCatalogName())) {
            session.catalogs().replace(create.getCatalogName(), create.getProperties());
            return;
        }
        session.catalogs().create(create.getCatalogName(), create.getProperties(), ignoreIfExists);
    }

    void createTable(CreateTableOperation create) {
        if (!create.isIgnoreIfExists() && !create.isTemporary()) {
            replaceGiven(create.getTableIdentifier());
        }
        session.views().forget(create.getTableIdentifier());
        executeFor(create.getTableIdentifier(), LegacyOptions.hide(create));
    }

    private void createView(ObjectIdentifier view, String expandedQuery, Operation operation) {
        session.views().define(view, expandedQuery);
        executeFor(view, operation);
    }

    private void replaceGiven(ObjectIdentifier name) {
        if (session.given().replaces(name)) {
            session.forget(name);
        }
    }

    private void executeFor(ObjectIdentifier table, Operation operation) {
        session.catalogs().ensureDatabase(table.getCatalogName(), table.getDatabaseName());
        session.execute(operation);
    }
}
