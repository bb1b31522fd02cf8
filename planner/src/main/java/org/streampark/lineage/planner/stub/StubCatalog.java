package org.streampark.lineage.planner.stub;

import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.apache.flink.table.catalog.CatalogDatabaseImpl;
import org.apache.flink.table.catalog.GenericInMemoryCatalog;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.exceptions.DatabaseAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.DatabaseNotEmptyException;
import org.apache.flink.table.catalog.exceptions.DatabaseNotExistException;
import org.apache.flink.table.catalog.exceptions.TableNotExistException;
import org.apache.flink.table.catalog.stats.CatalogColumnStatistics;
import org.apache.flink.table.catalog.stats.CatalogTableStatistics;
import org.apache.flink.table.factories.Factory;

/**
 * Stands for any catalog. An open one stands for an external catalog whose databases nobody declares here: every
 * database name is accepted, tables only when the script defined them. The built-in catalog is not open.
 */
public final class StubCatalog extends GenericInMemoryCatalog {
    private final boolean open;

    private StubCatalog(String name, String defaultDatabase, boolean open) {
        super(name, defaultDatabase);
        this.open = open;
    }

    public static StubCatalog builtIn(String name, String defaultDatabase) {
        return new StubCatalog(name, defaultDatabase, false);
    }

    public static StubCatalog external(String name, String defaultDatabase) {
        return new StubCatalog(name, defaultDatabase, true);
    }

    @Override
    public Optional<Factory> getFactory() {
        return Optional.of(StubFactory.INSTANCE);
    }

    @Override
    public boolean databaseExists(String name) {
        return open || super.databaseExists(name);
    }

    @Override
    public CatalogDatabase getDatabase(String name) throws DatabaseNotExistException {
        return open ? new CatalogDatabaseImpl(Map.of(), null) : super.getDatabase(name);
    }

    @Override
    public void createDatabase(String name, CatalogDatabase database, boolean ignoreIfExists)
            throws DatabaseAlreadyExistException {
        if (!open) {
            super.createDatabase(name, database, ignoreIfExists);
        }
    }

    @Override
    public void dropDatabase(String name, boolean ignoreIfNotExists, boolean cascade)
            throws DatabaseNotExistException, DatabaseNotEmptyException {
        if (!open) {
            super.dropDatabase(name, ignoreIfNotExists, cascade);
            return;
        }
        try {
            for (String table : listTables(name)) {
                dropTable(new ObjectPath(name, table), true);
            }
        } catch (TableNotExistException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A system table such as {@code t$branch_b} has the columns of the table it belongs to. */
    @Override
    public CatalogBaseTable getTable(ObjectPath path) throws TableNotExistException {
        return super.getTable(definition(path));
    }

    /** Time travel reads the one definition there is. */
    @Override
    public CatalogBaseTable getTable(ObjectPath path, long timestamp) throws TableNotExistException {
        return getTable(path);
    }

    @Override
    public boolean tableExists(ObjectPath path) {
        return super.tableExists(definition(path));
    }

    private ObjectPath definition(ObjectPath path) {
        int suffix = path.getObjectName().indexOf('$');
        return suffix <= 0 || super.tableExists(path)
                ? path
                : new ObjectPath(path.getDatabaseName(), path.getObjectName().substring(0, suffix));
    }

    @Override
    public CatalogTableStatistics getTableStatistics(ObjectPath path) {
        return CatalogTableStatistics.UNKNOWN;
    }

    @Override
    public CatalogColumnStatistics getTableColumnStatistics(ObjectPath path) {
        return CatalogColumnStatistics.UNKNOWN;
    }
}
