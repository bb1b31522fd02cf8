package org.streampark.lineage.planner.parsed;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.table.catalog.ObjectIdentifier;

/** A table whose columns are not known, with those that statements use and a type that suits the use. */
public final class OpenTable {
    private static final String ANY = "STRING";

    private final ObjectIdentifier path;
    private final Map<String, String> options;
    private final Map<String, String> types = new LinkedHashMap<>();
    private String time;

    OpenTable(ObjectIdentifier path, Map<String, String> options) {
        this.path = path;
        this.options = options;
    }

    public ObjectIdentifier path() {
        return path;
    }

    /** Options that the script gives the table; none where it does not declare it. */
    public Map<String, String> options() {
        return options;
    }

    /** Column to type, in the order of their first use. */
    public Map<String, String> columns() {
        Map<String, String> columns = new LinkedHashMap<>();
        types.forEach((name, type) -> columns.put(name, type == null ? ANY : type));
        return columns;
    }

    /** @param type what this use asks for; null where it takes any */
    void use(String column, String type) {
        types.putIfAbsent(column, type);
        if (types.get(column) == null && type != null) {
            types.put(column, type);
        }
    }

    /** A window is made of this column, so it is the time of the rows. */
    void useAsTime(String column) {
        use(column, TypeHints.TIME);
        time = time == null ? column : time;
    }

    /** The column that must have a watermark; null for none. */
    public String time() {
        return time;
    }

    public void retype(String column, String type) {
        types.put(column, type);
    }
}
