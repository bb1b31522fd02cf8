package org.streampark.lineage.planner;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.streampark.lineage.planner.stub.StubFunctions.FunctionKind;

/**
 * What a function is taken for at present. {@code path} is its back-ticked full name, null for a system function;
 * {@code columns} names what a table function returns; a {@code fixed} one was declared by the operator.
 */
record FunctionStub(
        String name, String path, FunctionKind kind, String type, List<String> columns, boolean fixed) {
    String key() {
        return name.toLowerCase(Locale.ROOT);
    }

    FunctionStub as(FunctionKind otherKind, String otherType) {
        return new FunctionStub(name, path, otherKind, otherType, columns, fixed);
    }

    /** The same, found before Flink's own function of that name, which older versions did not have. */
    FunctionStub asSystem() {
        return new FunctionStub(name, null, kind, type, columns, fixed);
    }

    /** A table function of so many columns; 0 keeps the ones that are known. */
    FunctionStub asTable(int count) {
        if (kind == FunctionKind.TABLE && (count == 0 || count == columns.size())) {
            return this;
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < Math.max(1, count); i++) {
            names.add("f" + i);
        }
        return new FunctionStub(name, path, FunctionKind.TABLE, type, names, fixed);
    }

    FunctionStub withColumn(String column) {
        List<String> names = new ArrayList<>(columns.equals(List.of("f0")) ? List.of() : columns);
        names.add(column);
        return new FunctionStub(name, path, kind, type, names, fixed);
    }

    /** The type the stub returns: for a table function a row of its columns. */
    String output() {
        if (kind != FunctionKind.TABLE || columns.isEmpty()) {
            return type;
        }
        List<String> fields = columns.stream().map(column -> '`' + column.replace("`", "``") + "` " + type).toList();
        return "ROW<" + String.join(", ", fields) + '>';
    }
}
