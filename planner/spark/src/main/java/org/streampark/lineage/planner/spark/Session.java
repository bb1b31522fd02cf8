package org.streampark.lineage.planner.spark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a script has defined so far: configuration, current catalog and namespace, tables and views. Names are resolved as Spark's
 * analyser does (ResolveCatalogs, SessionCatalog), only that nothing is looked up: a name that the script does not define is a table.
 */
final class Session {
    static final String SESSION_CATALOG = "spark_catalog";
    private static final String CATALOG = "spark.sql.catalog.";
    private static final String GLOBAL_TEMP = "global_temp";
    /** Formats that can be read by path: {@code format.`path`}. */
    private static final Set<String> FORMATS =
            Set.of("parquet", "orc", "csv", "json", "text", "avro", "binaryfile", "delta", "iceberg", "hudi", "paimon");

    private final Map<String, String> conf;
    private final Map<List<String>, TableUse> tables = new HashMap<>();
    private final Map<List<String>, List<TableUse>> views = new HashMap<>();
    private final Set<String> usedCatalogs = new java.util.LinkedHashSet<>();
    private String catalog;
    private List<String> namespace;

    Session(Map<String, String> conf) {
        this.conf = new LinkedHashMap<>(conf);
        useCatalog(conf.getOrDefault("spark.sql.defaultCatalog", SESSION_CATALOG));
    }

    Map<String, String> conf() {
        return conf;
    }

    /** Definition of each catalog that a name led to: its class (null for the built-in one) and its options. */
    Map<String, Map<String, String>> catalogs() {
        Map<String, Map<String, String>> found = new LinkedHashMap<>();
        for (String name : usedCatalogs) {
            Map<String, String> options = new LinkedHashMap<>();
            conf.forEach((key, value) -> {
                if (key.startsWith(CATALOG + name + ".")) {
                    options.put(key.substring(CATALOG.length() + name.length() + 1), value);
                }
            });
            found.put(name, options);
        }
        return found;
    }

    String catalogClass(String name) {
        return conf.get(CATALOG + name);
    }

    void set(String key, String value) {
        conf.put(key, value);
    }

    void reset(String key) {
        conf.remove(key);
    }

    void useCatalog(String name) {
        catalog = name;
        namespace = name.equals(SESSION_CATALOG) ? List.of("default") : defaultNamespace(name);
    }

    void useNamespace(List<String> parts) {
        namespace = List.copyOf(parts);
    }

    /** {@code USE a.b}: a catalog where the first part is one, else a namespace of the current catalog. */
    void use(List<String> parts) {
        if (!isCatalog(parts.get(0))) {
            useNamespace(parts);
            return;
        }
        useCatalog(parts.get(0));
        if (parts.size() > 1) {
            useNamespace(parts.subList(1, parts.size()));
        }
    }

    private List<String> defaultNamespace(String name) {
        String configured = conf.get(CATALOG + name + ".default-namespace");
        if (configured != null) {
            return List.of(configured.split("\\."));
        }
        boolean isJdbc = String.valueOf(catalogClass(name)).endsWith("JDBCTableCatalog");
        return isJdbc ? List.of() : List.of("default");
    }

    private boolean isCatalog(String name) {
        return name.equals(SESSION_CATALOG) || conf.containsKey(CATALOG + name);
    }

    /** catalog, namespace (its levels joined by dots) and table of a written name. */
    List<String> path(List<String> parts) {
        String in = catalog;
        List<String> levels = namespace;
        int last = parts.size() - 1;
        if (last > 0 && isCatalog(parts.get(0))) {
            in = parts.get(0);
            levels = parts.subList(1, last);
        } else if (last > 0) {
            levels = parts.subList(0, last);
        }
        boolean folds = in.equals(SESSION_CATALOG) && !"true".equalsIgnoreCase(conf.get("spark.sql.caseSensitive"));
        String table = parts.get(last);
        String database = String.join(".", levels);
        return folds
                ? List.of(in, database.toLowerCase(Locale.ROOT), table.toLowerCase(Locale.ROOT))
                : List.of(in, database, table);
    }

    /** What reading a name reads: itself, what its view reads, or the file it stands for. */
    List<TableUse> read(List<String> parts) {
        List<TableUse> temporary = views.get(temporaryKey(parts));
        if (temporary != null) {
            return temporary;
        }
        List<String> path = path(parts);
        List<TableUse> view = views.get(key(path));
        if (view != null) {
            return view;
        }
        return List.of(written(parts));
    }

    /** What writing to a name writes to. */
    TableUse written(List<String> parts) {
        List<TableUse> temporary = views.get(temporaryKey(parts));
        if (temporary != null && temporary.size() == 1 && temporary.get(0).temporary()) {
            return temporary.get(0);
        }
        List<String> path = path(parts);
        TableUse known = tables.get(key(path));
        if (known == null && parts.size() == 2 && FORMATS.contains(parts.get(0).toLowerCase(Locale.ROOT))
                && parts.get(1).indexOf('/') >= 0) {
            return TableUse.declared(
                    List.of(SESSION_CATALOG, parts.get(0).toLowerCase(Locale.ROOT), parts.get(1)), true, parts.get(0), parts.get(1), Map.of());
        }
        usedCatalogs.add(path.get(0));
        return known == null ? TableUse.undeclared(path) : known;
    }

    void defineTable(List<String> parts, String provider, String location, Map<String, String> options) {
        List<String> path = path(parts);
        views.remove(key(path));
        tables.put(key(path), TableUse.declared(path, false, provider, location, options));
    }

    /** A temporary view over a data source: it is the table behind it. */
    void defineTemporary(List<String> parts, String provider, Map<String, String> options) {
        Map<String, String> rest = new LinkedHashMap<>();
        String location = null;
        for (Map.Entry<String, String> option : options.entrySet()) {
            if (option.getKey().equalsIgnoreCase("path")) {
                location = option.getValue();
            } else {
                rest.put(option.getKey(), option.getValue());
            }
        }
        List<String> path = List.of(SESSION_CATALOG, "", String.join(".", parts).toLowerCase(Locale.ROOT));
        views.put(temporaryKey(parts), List.of(TableUse.declared(path, true, provider, location, rest)));
    }

    void defineTemporaryView(List<String> parts, List<TableUse> reads) {
        views.put(temporaryKey(parts), List.copyOf(reads));
    }

    void defineView(List<String> parts, List<TableUse> reads) {
        List<String> path = path(parts);
        tables.remove(key(path));
        views.put(key(path), List.copyOf(reads));
    }

    boolean isTemporary(List<String> parts) {
        return views.containsKey(temporaryKey(parts));
    }

    void moved(List<String> parts, String location) {
        TableUse known = written(parts);
        Map<String, String> facts = new LinkedHashMap<>(known.facts());
        facts.put("location", location);
        tables.put(key(known.path()), new TableUse(known.path(), false, true, facts));
    }

    void drop(List<String> parts) {
        if (views.remove(temporaryKey(parts)) == null) {
            tables.remove(key(path(parts)));
            views.remove(key(path(parts)));
        }
    }

    private static List<String> temporaryKey(List<String> parts) {
        List<String> key = new ArrayList<>();
        boolean isGlobal = parts.size() == 2 && parts.get(0).equalsIgnoreCase(GLOBAL_TEMP);
        key.add(isGlobal ? GLOBAL_TEMP : "");
        key.add((isGlobal ? parts.get(1) : parts.size() == 1 ? parts.get(0) : "\u0000").toLowerCase(Locale.ROOT));
        return key;
    }

    private static List<String> key(List<String> path) {
        return path.stream().map(part -> part.toLowerCase(Locale.ROOT)).toList();
    }
}
