package org.streampark.lineage.planner.parsed;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlHint;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/** Small questions about items of a FROM clause. */
final class FromItem {
    private FromItem() {}

    /** The operands of a call; some of Flink's nodes fail to tell them when an optional one is absent. */
    static List<SqlNode> operands(SqlCall call) throws Untold {
        try {
            return call.getOperandList();
        } catch (RuntimeException failed) {
            throw new Untold("the parts of " + call.getKind() + " are not known");
        }
    }

    static SqlNode first(SqlNode call) {
        return ((SqlCall) call).operand(0);
    }

    /** The name other items and expressions know an item by; null for one without. */
    static String alias(SqlNode item) {
        return switch (item.getKind()) {
            case AS -> ((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple();
            case IDENTIFIER -> last((SqlIdentifier) item);
            case TABLE_REF, SNAPSHOT, TABLESAMPLE, EXTEND -> alias(first(item));
            default -> null;
        };
    }

    /** The name of a table as written, through alias and hints; null for anything else. */
    static SqlIdentifier table(SqlNode item) {
        return switch (item.getKind()) {
            case IDENTIFIER -> (SqlIdentifier) item;
            case AS, TABLE_REF -> table(first(item));
            default -> null;
        };
    }

    /** Whether an alias can hide a name's first part: not where the item itself begins so, {@code FROM a.a, a.b}. */
    static boolean hides(SqlNode item, String firstPart) {
        SqlIdentifier table = table(item);
        return table == null || table.names.size() == 1 || !table.names.get(0).equals(firstPart);
    }

    /** The options that hints give a table, the later ones over the earlier. */
    static Map<String, String> options(SqlNodeList hints) {
        Map<String, String> options = new LinkedHashMap<>();
        for (SqlNode node : hints == null ? SqlNodeList.EMPTY : hints) {
            if (node instanceof SqlHint hint
                    && hint.getName().equalsIgnoreCase("OPTIONS")
                    && hint.getOptionFormat() == SqlHint.HintOptionFormat.KV_LIST) {
                options.putAll(hint.getOptionKVPairs());
            }
        }
        return options;
    }

    static String last(SqlIdentifier name) {
        return name.names.get(name.names.size() - 1);
    }
}
