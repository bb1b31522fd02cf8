package org.streampark.lineage.planner.columns;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/** The tables of {@code FROM a, b, c}, which a condition of WHERE may join. */
final class CrossJoin {
    /** For each column, the table it comes from; empty where the node is no cross join. */
    private final List<RelNode> tables = new ArrayList<>();

    private CrossJoin() {}

    static CrossJoin of(RelNode node) {
        CrossJoin cross = new CrossJoin();
        if (isCross(node)) {
            cross.collect(node);
        }
        return cross;
    }

    private static boolean isCross(RelNode node) {
        return node instanceof Join join && join.getCondition().isAlwaysTrue();
    }

    private void collect(RelNode node) {
        if (isCross(node)) {
            node.getInputs().forEach(this::collect);
        } else {
            node.getRowType().getFieldList().forEach(field -> tables.add(node));
        }
    }

    /** Whether the condition is about columns of more than one of the tables. */
    boolean isJoined(RexNode condition) {
        if (tables.isEmpty()) {
            return false;
        }
        ImmutableBitSet columns = RelOptUtil.InputFinder.bits(condition);
        return columns.asList().stream().map(tables::get).distinct().limit(2).count() == 2;
    }
}
