package org.streampark.lineage.planner;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.internal.TableEnvironmentInternal;
import org.apache.flink.table.catalog.CatalogManager;
import org.apache.flink.table.catalog.CatalogView;
import org.apache.flink.table.catalog.ContextResolvedTable;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.operations.Operation;
import org.streampark.lineage.planner.stub.StubModule;
import org.streampark.lineage.planner.versions.Tables;

/** The environment of one script: made anew for each, so that nothing of one script reaches another. */
final class Session {
    /** The name of Flink's own in-memory catalog until the stub takes its place. */
    private static final String FLINKS_OWN = "flinks own";

    private final TableEnvironmentInternal environment;
    private final Catalogs catalogs;
    private final Functions functions;
    private final Views views = new Views();
    private final Given given = new Given();

    Session(PlanRequest request) {
        EnvironmentSettings.Builder settings = EnvironmentSettings.newInstance().withBuiltInCatalogName(FLINKS_OWN);
        environment = (TableEnvironmentInternal) TableEnvironment.create(
                (request.batch() ? settings.inBatchMode() : settings.inStreamingMode()).build());
        environment.loadModule("stub", new StubModule());
        catalogs = new Catalogs(environment);
        catalogs.replaceBuiltIn(FLINKS_OWN, request.catalog(), request.database());
        functions = new Functions(environment, request.functions());
        PlannerSettings.force(configuration());
        request.options().forEach((key, value) -> PlannerSettings.apply(configuration(), key, value));
    }

    TableEnvironmentInternal environment() {
        return environment;
    }

    Configuration configuration() {
        return environment.getConfig().getConfiguration();
    }

    Catalogs catalogs() {
        return catalogs;
    }

    Functions functions() {
        return functions;
    }

    Views views() {
        return views;
    }

    Given given() {
        return given;
    }

    void use(String catalog, String database) {
        environment.useCatalog(catalog);
        environment.useDatabase(database);
    }

    /** Takes a table or view away, a temporary one or else that of the catalog, whatever the script says of it. */
    void forget(ObjectIdentifier path) {
        CatalogManager manager = environment.getCatalogManager();
        ContextResolvedTable present = manager.getTable(path).orElse(null);
        views.forget(path);
        if (present == null) {
            return;
        }
        boolean isView = present.getResolvedTable() instanceof CatalogView;
        if (present.isTemporary() && isView) {
            manager.dropTemporaryView(path, true);
        } else if (present.isTemporary()) {
            manager.dropTemporaryTable(path, true);
        } else if (isView) {
            Tables.dropView(manager, path);
        } else {
            Tables.drop(manager, path);
        }
    }

    /** For DDL on the stub catalogs only. */
    void execute(Operation ddl) {
        environment.executeInternal(ddl);
    }
}
