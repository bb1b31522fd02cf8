package org.streampark.lineage.planner.parsed;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.catalog.ObjectIdentifier;

/** A table whose columns are not known, with those that statements use and a type that suits the use. */
public final class OpenTable {
    private static final String ANY = "STRING";

    private final ObjectIdentifier path;
    private final Map<String, String> options;
    private final Field row = new Field();
    private String time;

    /** A column, or a field of one; the table itself is one whose fields are the columns. */
    private static final class Field {
        private final Map<String, Field> fields = new LinkedHashMap<>();
        private String type;

        Field of(String name) {
            return fields.computeIfAbsent(name, any -> new Field());
        }

        String type() {
            if (fields.isEmpty()) {
                return type == null ? ANY : type;
            }
            List<String> types = new ArrayList<>();
            fields.forEach((name, field) -> types.add(UsedColumns.quoted(name) + ' ' + field.type()));
            return "ROW<" + String.join(", ", types) + '>';
        }
    }

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
        row.fields.forEach((name, column) -> columns.put(name, column.type()));
        return columns;
    }

    /**
     * @param field a column, or the way to a field inside of one
     * @param type what this use asks for; null where it takes any
     */
    void use(List<String> field, String type) {
        Field used = row;
        for (String name : field) {
            used = used.of(name);
        }
        used.type = used.type == null ? type : used.type;
    }

    /** A window is made of this column, so it is the time of the rows. */
    void useAsTime(String column) {
        use(List.of(column), TypeHints.TIME);
        time = time == null ? column : time;
    }

    /** The column that must have a watermark; null for none. */
    public String time() {
        return time;
    }

    public void retype(String column, String type) {
        row.of(column).type = type;
    }
}
