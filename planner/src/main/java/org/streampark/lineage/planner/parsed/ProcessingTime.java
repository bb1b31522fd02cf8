package org.streampark.lineage.planner.parsed;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

/**
 * Whether FOR SYSTEM_TIME AS OF names a processing time for certain: a column that a declared table or view has as
 * such, or that a query makes of PROCTIME(). Only then the planner makes lookups of a temporal join.
 */
final class ProcessingTime {
    private static final int MAX_DEPTH = 32;

    private final Declaration.Lookup declared;

    ProcessingTime(Declaration.Lookup declared) {
        this.declared = declared;
    }

    boolean isCertain(SqlNode period, Scope scope, Home home) throws Untold {
        return period instanceof SqlIdentifier column && !column.isStar() && names(column, scope, home, 0);
    }

    private boolean names(SqlIdentifier column, Scope scope, Home home, int depth) throws Untold {
        int parts = column.names.size();
        if (parts > 1) {
            SqlNode item = scope.aliased(column.names.get(parts - 2));
            return item != null && has(item, FromItem.last(column), scope, home, depth + 1);
        }
        for (SqlNode item : scope.own().values()) {
            if (has(item, column.names.get(0), scope, home, depth + 1)) {
                return true;
            }
        }
        return false;
    }

    private boolean has(SqlNode item, String column, Scope scope, Home home, int depth) throws Untold {
        if (depth > MAX_DEPTH) {
            return false;
        }
        return switch (item.getKind()) {
            case AS -> ((SqlCall) item).operandCount() == 2 && has(FromItem.first(item), column, scope, home, depth);
            case TABLE_REF, ORDER_BY -> has(FromItem.first(item), column, scope, home, depth);
            case IDENTIFIER -> declared((SqlIdentifier) item, column, scope, home, depth);
            case SELECT -> selects((SqlSelect) item, column, scope, home, depth);
            default -> false;
        };
    }

    private boolean declared(SqlIdentifier table, String column, Scope scope, Home home, int depth) throws Untold {
        Scope.Common common = table.names.size() == 1 ? scope.common(table.names.get(0)) : null;
        if (common != null) {
            return has(common.query(), column, common.scope(), home, depth + 1);
        }
        Declaration declaration = declared.find(home.qualify(table.names));
        if (declaration != null && declaration.schema() != null) {
            return declaration.schema().getColumn(column)
                    .filter(found -> LogicalTypeChecks.isProctimeAttribute(found.getDataType().getLogicalType()))
                    .isPresent();
        }
        return declaration instanceof Declaration.View view
                && has(view.query(), column, Scope.outermost(), view.home(), depth + 1);
    }

    private boolean selects(SqlSelect select, String column, Scope scope, Home home, int depth) throws Untold {
        Scope inside = scope.inner();
        if (select.getFrom() != null) {
            aliases(select.getFrom(), inside);
        }
        for (SqlNode item : select.getSelectList()) {
            boolean isNamed = column.equals(FromItem.alias(item));
            SqlNode value = item instanceof SqlCall call && isNamed ? call.operand(0) : item;
            if (value instanceof SqlIdentifier found) {
                SqlIdentifier source = found.isStar() ? found.setName(found.names.size() - 1, column) : found;
                if ((found.isStar() || isNamed) && names(source, inside, home, depth + 1)) {
                    return true;
                }
            } else if (isNamed
                    && value instanceof SqlCall call
                    && call.getOperator().getName().equalsIgnoreCase("PROCTIME")) {
                return true;
            }
        }
        return false;
    }

    private static void aliases(SqlNode item, Scope scope) {
        if (item instanceof SqlJoin join) {
            aliases(join.getLeft(), scope);
            aliases(join.getRight(), scope);
        } else if (FromItem.alias(item) != null) {
            scope.alias(FromItem.alias(item), item);
        }
    }
}
