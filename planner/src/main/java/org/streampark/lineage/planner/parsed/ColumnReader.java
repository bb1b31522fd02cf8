package org.streampark.lineage.planner.parsed;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlHint;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlMatchRecognize;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlCase;
import org.streampark.lineage.planner.versions.ByName;

/** The columns that expressions name, each given to the table it belongs to. */
final class ColumnReader {
    private final UsedColumns queries;

    ColumnReader(UsedColumns queries) {
        this.queries = queries;
    }

    /** A column of the output goes before one of a table. */
    void order(SqlNodeList keys, Relation output, NameScope scope) throws Untold {
        for (SqlNode key : keys == null ? SqlNodeList.EMPTY : keys) {
            SqlNode column = key;
            while (column.getKind() == SqlKind.DESCENDING
                    || column.getKind() == SqlKind.NULLS_FIRST
                    || column.getKind() == SqlKind.NULLS_LAST) {
                column = FromItem.first(column);
            }
            boolean isOutput = column instanceof SqlIdentifier name
                    && name.names.size() == 1
                    && output.known().containsKey(name.names.get(0));
            if (!isOutput) {
                read(column, scope, null);
            }
        }
    }

    /**
     * What MATCH_RECOGNIZE uses of its table, which its pattern variables stand for as well, and what it gives.
     *
     * @throws Untold where it is not known which columns it gives
     */
    Relation match(SqlMatchRecognize match, Relation table) throws Untold {
        NameScope scope = new NameScope(null);
        scope.add(null, table);
        variables(match.getPattern(), table, scope);
        for (SqlNode subset : match.getSubsetList()) {
            scope.add(((SqlIdentifier) FromItem.first(subset)).getSimple(), table);
        }
        List<String> columns = new ArrayList<>();
        for (SqlNode key : match.getPartitionList()) {
            read(key, scope, null);
            columns.add(FromItem.last((SqlIdentifier) key));
        }
        for (SqlNode key : match.getOrderList()) {
            if (key instanceof SqlIdentifier time && key == match.getOrderList().get(0)) {
                NameScope.useAsTime(FromItem.last(time), table);
            } else {
                read(key, scope, null);
            }
        }
        for (SqlNode definition : match.getPatternDefList()) {
            read(FromItem.first(definition), scope, TypeHints.TRUTH);
        }
        for (SqlNode measure : match.getMeasureList()) {
            read(FromItem.first(measure), scope, null);
            columns.add(((SqlIdentifier) ((SqlCall) measure).operand(1)).getSimple());
        }
        return Relation.named(columns);
    }

    private static void variables(SqlNode pattern, Relation table, NameScope scope) throws Untold {
        if (pattern instanceof SqlIdentifier variable) {
            scope.add(variable.getSimple(), table);
        } else if (pattern instanceof SqlCall call) {
            for (SqlNode part : FromItem.operands(call)) {
                variables(part, table, scope);
            }
        }
    }

    void all(List<SqlNode> nodes, NameScope scope, String type) throws Untold {
        for (SqlNode node : nodes) {
            read(node, scope, type);
        }
    }

    /** @param type what is asked of a column at this place; null for anything */
    void read(SqlNode node, NameScope scope, String type) throws Untold {
        if (node == null || node instanceof SqlHint || ByName.is(node, "SqlExplicitModelCall")) {
            return;
        }
        if (node instanceof SqlNodeList list) {
            all(list.getList(), scope, type);
        } else if (node instanceof SqlIdentifier column) {
            column(column, scope, type);
        } else if (node instanceof SqlWindow window) {
            read(window.getPartitionList(), scope, null);
            read(window.getOrderList(), scope, null);
        } else if (node instanceof SqlCase cases) {
            read(cases.getValueOperand(), scope, cases.getValueOperand() == null ? null : of(cases.getWhenOperands(), scope));
            String asked = cases.getValueOperand() == null ? TypeHints.TRUTH : TypeHints.ofValue(cases.getValueOperand(), scope);
            read(cases.getWhenOperands(), scope, asked);
            read(cases.getThenOperands(), scope, type);
            read(cases.getElseOperand(), scope, type);
        } else if (node instanceof SqlCall call) {
            call(call, scope, type);
        }
    }

    private void call(SqlCall call, NameScope scope, String type) throws Untold {
        if (call.getKind().belongsTo(SqlKind.QUERY)) {
            queries.positional(queries.query(call, scope));
            return;
        }
        List<SqlNode> operands = FromItem.operands(call);
        switch (call.getKind()) {
            case AS, ARGUMENT_ASSIGNMENT, DOT -> read(operands.get(0), scope, type);
            case EXISTS -> queries.query(operands.get(0), scope);
            case OVER -> {
                read(operands.get(0), scope, type);
                if (operands.get(1) instanceof SqlWindow) {
                    read(operands.get(1), scope, null);
                }
            }
            case ITEM -> {
                boolean isKey = operands.get(1) instanceof SqlLiteral key && TypeHints.TEXT.equals(TypeHints.ofValue(key, scope));
                read(operands.get(0), scope, isKey ? "MAP<STRING, STRING>" : "ARRAY<STRING>");
                read(operands.get(1), scope, TypeHints.NUMBER);
            }
            case CAST -> read(operands.get(0), scope, castFrom(operands.get(1)));
            case EQUALS, NOT_EQUALS, LESS_THAN, GREATER_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN_OR_EQUAL, BETWEEN, IN, NOT_IN,
                    IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM -> {
                String asked = of(operands, scope);
                all(operands, scope, asked);
            }
            case LIKE, SIMILAR -> all(operands, scope, TypeHints.TEXT);
            default -> {
                String common = type == null ? of(operands, scope) : type;
                all(operands, scope, TypeHints.takesLikeTypes(call) ? common : TypeHints.ofArgument(call));
            }
        }
    }

    /** The first type that one of these tells. */
    private static String of(List<? extends SqlNode> nodes, NameScope scope) {
        for (SqlNode node : nodes) {
            String type = node instanceof SqlNodeList list ? of(list.getList(), scope) : TypeHints.ofValue(node, scope);
            if (type != null) {
                return type;
            }
        }
        return null;
    }

    private static String of(SqlNodeList nodes, NameScope scope) {
        return of(nodes.getList(), scope);
    }

    /** Another type than the cast makes, so that it stays a conversion: who writes one has another. */
    private static String castFrom(SqlNode target) {
        String name = target instanceof SqlDataTypeSpec spec ? spec.getTypeName().toString() : "";
        return name.endsWith("CHAR") || name.equals("STRING") ? TypeHints.NUMBER : null;
    }

    private static void column(SqlIdentifier column, NameScope scope, String type) throws Untold {
        if (column.isStar()) {
            return;
        }
        Relation relation = column.names.size() == 1 ? null : scope.aliased(column.names.get(0));
        if (relation == null) {
            // a column or a nested field of one
            scope.use(column.names, type);
        } else {
            NameScope.use(column.names.subList(1, column.names.size()), type, relation);
        }
    }
}
