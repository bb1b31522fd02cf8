package org.streampark.lineage.planner;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.internal.TableEnvironmentInternal;
import org.streampark.lineage.planner.protocol.Json;
import org.streampark.lineage.planner.stub.StubCatalog;

/**
 * The catalogs a script defines. Each becomes a stub; its options are kept for the answer. A name that has stood for
 * two different definitions has no certain one, so it is answered without options rather than with the wrong ones.
 */
final class Catalogs {
    private final TableEnvironmentInternal environment;
    private final Map<String, Map<String, String>> options = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> dropped = new HashMap<>();
    private boolean tablesUsed;

    Catalogs(TableEnvironmentInternal environment) {
        this.environment = environment;
    }

    /** Puts a stub in the place of Flink's own in-memory catalog, which cannot serve stubbed tables. */
    void replaceBuiltIn(String flinksOwn, String catalog, String database) {
        environment.registerCatalog(catalog, StubCatalog.builtIn(catalog, database));
        environment.useCatalog(catalog);
        environment.getCatalogManager().unregisterCatalog(flinksOwn, false);
    }

    /** From now on a changed definition is ambiguous, because an INSERT may have used the one before. */
    void tablesUsed() {
        tablesUsed = true;
    }

    void create(String name, Map<String, String> properties, boolean ignoreIfExists) {
        if (options.containsKey(name)) {
            if (!ignoreIfExists) {
                throw new ValidationException("Catalog " + name + " already exists.");
            }
            return;
        }
        Map<String, String> before = dropped.remove(name);
        boolean ambiguous = before != null && tablesUsed && !before.equals(properties);
        ensure(name, properties.getOrDefault("default-database", "default"));
        options.put(name, ambiguous ? Map.of() : Map.copyOf(properties));
    }

    /** The definition that a prelude gave is not that of the script. */
    void replace(String name, Map<String, String> properties) {
        options.put(name, Map.copyOf(properties));
    }

    void alter(String name, Map<String, String> set, Set<String> reset) {
        Map<String, String> altered = new LinkedHashMap<>(options.getOrDefault(name, Map.of()));
        altered.putAll(set);
        altered.keySet().removeAll(reset);
        options.put(name, tablesUsed ? Map.of() : altered);
    }

    void drop(String name) {
        Map<String, String> definition = options.remove(name);
        if (definition != null) {
            dropped.put(name, definition);
        }
    }

    /** A catalog nobody defined comes from the cluster's configuration: its tables are whatever the script declares. */
    void ensure(String name) {
        ensure(name, "default");
    }

    /** Likewise a database of an external catalog. */
    void ensureDatabase(String catalog, String database) {
        ensure(catalog);
        if (environment.getCatalog(catalog).orElse(null) instanceof StubCatalog stub) {
            stub.declareDatabase(database);
        }
    }

    private void ensure(String name, String defaultDatabase) {
        if (environment.getCatalog(name).isEmpty()) {
            environment.registerCatalog(name, StubCatalog.external(name, defaultDatabase));
        }
    }

    /** Name to {@code {type, options}}; catalogs dropped on the way are told as well. */
    ObjectNode facts() {
        Map<String, Map<String, String>> all = new LinkedHashMap<>(dropped);
        all.putAll(options);
        ObjectNode facts = Json.object();
        all.forEach((name, properties) -> {
            ObjectNode catalog = facts.putObject(name);
            catalog.put("type", properties.get("type"));
            catalog.set("options", Json.strings(properties));
        });
        return facts;
    }
}
