package org.streampark.lineage.planner.parsed;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlMerge;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.flink.sql.parser.ddl.SqlCompilePlan;
import org.apache.flink.sql.parser.ddl.SqlDropObject;
import org.apache.flink.sql.parser.ddl.SqlReplaceTableAs;
import org.apache.flink.sql.parser.ddl.materializedtable.SqlCreateMaterializedTable;
import org.apache.flink.sql.parser.ddl.materializedtable.SqlDropMaterializedTable;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTable;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTableAs;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTableLike;
import org.apache.flink.sql.parser.ddl.table.SqlDropTable;
import org.apache.flink.sql.parser.ddl.table.SqlTableLike;
import org.apache.flink.sql.parser.ddl.table.SqlTableLike.FeatureOption;
import org.apache.flink.sql.parser.ddl.table.SqlTableLike.MergingStrategy;
import org.apache.flink.sql.parser.ddl.table.SqlTableLike.SqlTableLikeOption;
import org.apache.flink.sql.parser.ddl.view.SqlAlterViewAs;
import org.apache.flink.sql.parser.ddl.view.SqlCreateView;
import org.apache.flink.sql.parser.ddl.view.SqlDropView;
import org.apache.flink.sql.parser.dml.RichSqlInsert;
import org.apache.flink.sql.parser.dml.SqlCompileAndExecutePlan;
import org.apache.flink.sql.parser.dml.SqlExecute;

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

    /** {@code alters}: the view is there already. */
    record View(List<String> name, boolean temporary, boolean alters, SqlNode query) implements Reading {}

    record Drop(List<String> name) implements Reading {}

    /** Null for statements that say nothing about where data goes. */
    static Reading of(SqlNode node) {
        if (node instanceof SqlExecute execute) {
            return of(execute.getStatement());
        }
        if (node instanceof SqlCompilePlan || node instanceof SqlCompileAndExecutePlan) {
            return of(((SqlCall) node).operand(0));
        }
        if (node instanceof SqlCreateView create) {
            return new View(List.of(create.getFullName()), create.isTemporary(), false, create.getQuery());
        }
        if (node instanceof SqlAlterViewAs alter) {
            return new View(List.of(alter.getFullName()), false, true, alter.getNewQuery());
        }
        if (node instanceof SqlDropTable || node instanceof SqlDropView || node instanceof SqlDropMaterializedTable) {
            return new Drop(List.of(((SqlDropObject) node).getFullName()));
        }
        Reading move = move(node);
        return move == null && node instanceof SqlCreateTable create ? table(create) : move;
    }

    private static Reading move(SqlNode node) {
        if (node instanceof RichSqlInsert insert) {
            Map<String, String> hints = FromItem.options(insert.getTableHints());
            return into(insert.getTargetTableID(), hints, insert.isOverwrite(), null, insert.getSource());
        }
        if (node instanceof SqlCreateTableAs create) {
            return creating(table(create), create.getAsQuery());
        }
        if (node instanceof SqlReplaceTableAs replace) {
            return creating(table(replace), replace.getAsQuery());
        }
        if (node instanceof SqlCreateMaterializedTable create) {
            List<String> name = List.of(create.getFullName());
            return creating(new Table(name, false, create.getProperties(), null, false), create.getAsQuery());
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

    private static Table table(SqlCreateTable create) {
        List<String> name = List.of(create.getFullName());
        if (!(create instanceof SqlCreateTableLike likeOne)) {
            return new Table(name, create.isTemporary(), create.getProperties(), null, false);
        }
        SqlTableLike like = likeOne.getTableLike();
        return new Table(
                name, create.isTemporary(), create.getProperties(), like.getSourceTable().names, inheritsOptions(like));
    }

    /** The option for OPTIONS decides, else that for ALL, else they are included. */
    private static boolean inheritsOptions(SqlTableLike like) {
        boolean inherits = true;
        for (FeatureOption feature : List.of(FeatureOption.ALL, FeatureOption.OPTIONS)) {
            for (SqlTableLikeOption option : like.getOptions()) {
                if (option.getFeatureOption() == feature) {
                    inherits = option.getMergingStrategy() != MergingStrategy.EXCLUDING;
                }
            }
        }
        return inherits;
    }
}
