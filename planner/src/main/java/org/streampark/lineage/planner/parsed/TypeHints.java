package org.streampark.lineage.planner.parsed;

import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Types that a place in a query asks of a column. They only serve to make a statement validate, and stand in no answer;
 * a wrong one is tried otherwise or costs the inference, never the truth.
 */
final class TypeHints {
    static final String NUMBER = "BIGINT";
    static final String TIME = "TIMESTAMP(3)";
    static final String TEXT = "STRING";
    static final String TRUTH = "BOOLEAN";

    private static final Set<String> OF_NUMBERS = Set.of(
            "SUM", "AVG", "ABS", "ROUND", "POWER", "SQRT", "STDDEV_POP", "STDDEV_SAMP", "VAR_POP", "VAR_SAMP",
            "FROM_UNIXTIME", "TO_TIMESTAMP_LTZ", "SIGN", "TRUNCATE", "EXP", "LN", "LOG10", "LOG2");
    private static final Set<String> OF_TIMES = Set.of(
            "TUMBLE", "HOP", "SESSION", "TUMBLE_START", "TUMBLE_END", "TUMBLE_ROWTIME", "HOP_START", "HOP_END",
            "SESSION_START", "SESSION_END", "EXTRACT", "YEAR", "QUARTER", "MONTH", "WEEK", "DAYOFMONTH", "DAYOFYEAR",
            "DAYOFWEEK", "HOUR", "MINUTE", "SECOND", "TIMESTAMPDIFF", "TIMESTAMPADD");

    private static final Set<String> OF_LIKE_TYPES = Set.of("COALESCE", "IFNULL", "NULLIF", "GREATEST", "LEAST");

    private TypeHints() {}

    /** Whether the arguments and the value of a function have one type. */
    static boolean takesLikeTypes(SqlCall call) {
        return OF_LIKE_TYPES.contains(call.getOperator().getName().toUpperCase(Locale.ROOT));
    }

    /** What a function asks of its arguments; null for anything. */
    static String ofArgument(SqlCall call) {
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        if (OF_NUMBERS.contains(name)) {
            return NUMBER;
        }
        if (OF_TIMES.contains(name)) {
            return TIME;
        }
        return switch (call.getKind()) {
            case PLUS, MINUS, TIMES, DIVIDE, MOD, MINUS_PREFIX, PLUS_PREFIX ->
                call.getOperandList().stream().anyMatch(TypeHints::isInterval) ? TIME : NUMBER;
            case AND, OR, NOT, IS_TRUE, IS_FALSE, IS_NOT_TRUE, IS_NOT_FALSE -> TRUTH;
            default -> null;
        };
    }

    /** The type of one side of a comparison, which the other side should have; null where it is not told. */
    static String ofValue(SqlNode node, NameScope scope) {
        if (node instanceof SqlLiteral literal) {
            return ofLiteral(literal.getTypeName());
        }
        if (node instanceof SqlIdentifier column) {
            return scope.type(column.names);
        }
        if (node instanceof SqlCall call) {
            if (call.getKind() == SqlKind.CAST && call.operand(1) instanceof SqlDataTypeSpec spec) {
                return spec.getTypeNameSpec() instanceof SqlBasicTypeNameSpec ? spec.toString() : null;
            }
            return switch (call.getOperator().getName().toUpperCase(Locale.ROOT)) {
                case "+", "-", "*", "/", "%", "MOD" -> ofArgument(call);
                case "COUNT", "SUM", "AVG" -> NUMBER;
                default -> null;
            };
        }
        return null;
    }

    private static String ofLiteral(SqlTypeName type) {
        return switch (type) {
            case DECIMAL, BIGINT, INTEGER, DOUBLE -> NUMBER;
            case CHAR, VARCHAR -> TEXT;
            case BOOLEAN -> TRUTH;
            case TIMESTAMP -> TIME;
            case DATE -> "DATE";
            case TIME -> "TIME(0)";
            default -> null;
        };
    }

    private static boolean isInterval(SqlNode node) {
        return node instanceof SqlIntervalLiteral
                || node instanceof SqlCall call
                        && call.getOperator().getName().toUpperCase(Locale.ROOT).contains("INTERVAL");
    }
}
