package org.streampark.lineage.planner.columns;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;

/**
 * A column of a source, or a field inside one.
 *
 * @param table which of the tables of the INSERT's answer
 * @param path the declared name, followed by the names of nested fields with dots between
 */
record SourceColumn(int table, String path, RelDataType type) {
    /** The nested field of this name; the column itself where it has none, as a union may give fields other names. */
    SourceColumn field(String name) {
        RelDataTypeField field = type.isStruct() ? type.getField(name, true, false) : null;
        return field == null ? this : new SourceColumn(table, path + '.' + name, field.getType());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SourceColumn column && table == column.table && path.equals(column.path);
    }

    @Override
    public int hashCode() {
        return 31 * table + path.hashCode();
    }
}
