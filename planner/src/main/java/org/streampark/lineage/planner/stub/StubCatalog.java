package org.streampark.lineage.planner.stub;

import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.apache.flink.table.catalog.CatalogDatabaseImpl;
import org.apache.flink.table.catalog.GenericInMemoryCatalog;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.exceptions.CatalogException;
import org.apache.flink.table.catalog.exceptions.DatabaseAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.TableNotExistException;
import org.apache.flink.table.catalog.stats.CatalogColumnStatistics;
import org.apache.flink.table.catalog.stats.CatalogTableStatistics;
import org.apache.flink.table.factories.Factory;

/**
 * Stands for any catalog. An external one has databases that nobody creates here: each is known as soon as the script
 * uses or fills it. Tables are known only when the script defines them.
 */
public final class StubCatalog extends GenericInMemoryCatalog {
    private final boolean external;

    private StubCatalog(String name, String defaultDatabase, boolean external) {
        super(name, defaultDatabase);
        this.external = external;
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

    /**
     * Makes a database of an external catalog known when the script names it. Not simply all that anybody asks for: the
     * validator asks for every name it meets, and takes tables for databases then.
     */
    public void declareDatabase(String name) {
        if (external && !databaseExists(name)) {
            createDatabase(name, new CatalogDatabaseImpl(Map.of(), null), true);
        }
    }

    @Override
    public void createDatabase(String name, CatalogDatabase database, boolean ignoreIfExists) {
        try {
            super.createDatabase(name, database, ignoreIfExists || external);
        } catch (DatabaseAlreadyExistException e) {
            throw new CatalogException(e.getMessage());
        }
    }

    /** Before 2.0 a table without a connector was one that Flink stores itself, with a factory of its own. */
    public boolean supportsManagedTable() {
        return false;
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
