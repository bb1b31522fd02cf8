package org.streampark.lineage.planner.parsed;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlMerge;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.flink.sql.parser.dml.RichSqlInsert;
import org.apache.flink.sql.parser.dml.SqlExecute;
import org.streampark.lineage.planner.versions.ByName;

/** A statement as far as lineage depends on it, read off its syntax alone. */
public sealed interface Reading {
    /**
     * Data moves into {@code target} ({@code hints}: options the statement gives it) from the tables of {@code from}
     * (null for none) and of the queries and expressions in {@code rest}. {@code creates} is the table that it makes on
     * the way, or null.
     */
    record Move(
            List<String> target,
            Map<String, String> hints,
            boolean overwrite,
            SqlNode from,
            List<SqlNode> rest,
            Table creates)
            implements Reading {}

    /**
     * A table with its options; {@code like} (or null) is the one it takes more of, {@code inherits} whether options.
     */
    record Table(
            List<String> name, boolean temporary, Map<String, String> options, List<String> like, boolean inherits)
            implements Reading {}

    /** {@code alters}: the view is there already. {@code renames}: it names the columns of its query anew. */
    record View(List<String> name, boolean temporary, boolean alters, boolean renames, SqlNode query)
            implements Reading {}

    record Drop(List<String> name) implements Reading {}

    /** Null for statements that say nothing about where data goes. */
    static Reading of(SqlNode node) {
        if (node instanceof SqlExecute execute) {
            return of(execute.getStatement());
        }
        if (ByName.is(node, "SqlCompilePlan", "SqlCompileAndExecutePlan")) {
            return of(((SqlCall) node).operand(0));
        }
        if (ByName.is(node, "SqlCreateView")) {
            boolean renames = ByName.get(node, "getFieldList") instanceof SqlNodeList names && !names.isEmpty();
            return new View(
                    SyntaxNode.name(node), SyntaxNode.isTemporary(node), false, renames, SyntaxNode.query(node));
        }
        if (ByName.is(node, "SqlAlterViewAs")) {
            return new View(SyntaxNode.name(node), false, true, false, SyntaxNode.query(node));
        }
        if (ByName.is(node, "SqlDropTable", "SqlDropView", "SqlDropMaterializedTable")) {
            return new Drop(SyntaxNode.name(node));
        }
        Reading move = move(node);
        return move == null && ByName.is(node, "SqlCreateTable") ? table(node) : move;
    }

    private static Reading move(SqlNode node) {
        if (node instanceof RichSqlInsert insert) {
            Map<String, String> hints = FromItem.options(insert.getTableHints());
            return into(insert.getTargetTableID(), hints, insert.isOverwrite(), null, insert.getSource());
        }
        if (ByName.is(node, "SqlCreateTableAs", "SqlReplaceTableAs")) {
            return creating(table(node), SyntaxNode.query(node));
        }
        if (ByName.is(node, "SqlCreateMaterializedTable")) {
            Table table = new Table(SyntaxNode.name(node), false, SyntaxNode.options(node), null, false);
            return creating(table, SyntaxNode.query(node));
        }
        if (node instanceof SqlUpdate update) {
            SqlNode target = update.getTargetTable();
            return into(target, Map.of(), false, target, update.getSourceExpressionList(), update.getCondition());
        }
        if (node instanceof SqlDelete delete) {
            return into(delete.getTargetTable(), Map.of(), false, delete.getTargetTable(), delete.getCondition());
        }
        if (node instanceof SqlMerge merge) {
            return into(merge.getTargetTable(), Map.of(), false, merge.getSourceTableRef(), merge.getCondition());
        }
        return null;
    }

    /** Null where the target is no plain name. */
    private static Reading into(
            SqlNode target, Map<String, String> hints, boolean overwrite, SqlNode from, SqlNode... rest) {
        SqlIdentifier name = FromItem.table(target);
        return name == null ? null : new Move(name.names, hints, overwrite, from, Arrays.asList(rest), null);
    }

    private static Move creating(Table table, SqlNode query) {
        return new Move(table.name(), Map.of(), false, null, List.of(query), table);
    }

    private static Table table(SqlNode create) {
        List<String> name = SyntaxNode.name(create);
        Object like = like(create);
        if (like == null) {
            return new Table(name, SyntaxNode.isTemporary(create), SyntaxNode.options(create), null, false);
        }
        return new Table(
                name,
                SyntaxNode.isTemporary(create),
                SyntaxNode.options(create),
                ((SqlIdentifier) ByName.get(like, "getSourceTable")).names,
                inheritsOptions(like));
    }

    /** The LIKE clause or null: of a class of its own, or (before 1.17) optional in every CREATE TABLE. */
    private static Object like(SqlNode create) {
        Object like = ByName.has(create, "getTableLike") ? ByName.get(create, "getTableLike") : null;
        return like instanceof Optional<?> optional ? optional.orElse(null) : like;
    }

    /** The option for OPTIONS decides, else that for ALL, else they are included. */
    private static boolean inheritsOptions(Object like) {
        boolean inherits = true;
        for (String feature : List.of("ALL", "OPTIONS")) {
            for (Object option : (List<?>) ByName.get(like, "getOptions")) {
                if (named(ByName.get(option, "getFeatureOption"), feature)) {
                    inherits = !named(ByName.get(option, "getMergingStrategy"), "EXCLUDING");
                }
            }
        }
        return inherits;
    }

    private static boolean named(Object constant, String name) {
        return ((Enum<?>) constant).name().equals(name);
    }
}
