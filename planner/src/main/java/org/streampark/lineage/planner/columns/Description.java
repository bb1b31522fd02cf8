package org.streampark.lineage.planner.columns;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Snapshot;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.flink.table.planner.plan.nodes.calcite.WatermarkAssigner;

/**
 * What a column of a query is computed by, for people: names of columns and functions. Literals are shown as {@code ?}, for they may
 * be secrets.
 */
final class Description {
    /** Characters; a longer text is cut, and no more of the tree is looked at. */
    private static final int LONGEST = 200;
    private static final int DEEPEST = 200;

    private final StringBuilder text = new StringBuilder();
    private boolean computed;

    private Description() {}

    /** The text, or null where the column is one of a source as it stands. */
    static String of(RelNode query, int column) {
        Description description = new Description();
        description.column(query, column, DEEPEST);
        if (!description.computed) {
            return null;
        }
        StringBuilder text = description.text;
        return text.length() <= LONGEST ? text.toString() : text.substring(0, LONGEST) + "\u2026";
    }

    private boolean full() {
        return text.length() > LONGEST;
    }

    private void column(RelNode node, int index, int depth) {
        if (full()) {
            return;
        }
        int left = node instanceof Join || node instanceof Correlate ? node.getInput(0).getRowType().getFieldCount() : 0;
        if (depth == 0) {
            name(node, index);
        } else if (node instanceof Project project) {
            expression(project.getProjects().get(index), node.getInput(0), depth - 1);
        } else if (node instanceof Aggregate aggregate) {
            aggregate(aggregate, index, depth - 1);
        } else if (node instanceof Filter || node instanceof Sort || node instanceof Snapshot || node instanceof WatermarkAssigner) {
            column(node.getInput(0), index, depth - 1);
        } else if (left > 0) {
            column(node.getInput(index < left ? 0 : 1), index < left ? index : index - left, depth - 1);
        } else {
            name(node, index);
        }
    }

    private void name(RelNode node, int index) {
        List<String> names = node.getRowType().getFieldNames();
        text.append(index < names.size() ? names.get(index) : "?");
    }

    private void aggregate(Aggregate aggregate, int index, int depth) {
        int keys = aggregate.getGroupCount();
        List<AggregateCall> calls = aggregate.getAggCallList();
        if (index < keys) {
            column(aggregate.getInput(), aggregate.getGroupSet().nth(index), depth);
        } else if (index - keys >= calls.size()) {
            name(aggregate, index);
        } else {
            AggregateCall call = calls.get(index - keys);
            computed = true;
            text.append(call.getAggregation().getName()).append(call.isDistinct() ? "(DISTINCT " : "(");
            if (call.getArgList().isEmpty()) {
                text.append('*');
            }
            IntStream.range(0, call.getArgList().size()).forEach(i -> {
                text.append(i == 0 ? "" : ", ");
                column(aggregate.getInput(), call.getArgList().get(i), depth);
            });
            text.append(')');
        }
    }

    private void expression(RexNode node, RelNode input, int depth) {
        if (full()) {
            return;
        }
        if (node instanceof RexInputRef reference) {
            column(input, reference.getIndex(), depth);
        } else if (depth == 0) {
            text.append('?');
        } else if (node instanceof RexFieldAccess access) {
            expression(access.getReferenceExpr(), input, depth - 1);
            text.append('.').append(access.getField().getName());
        } else if (node instanceof RexCall call) {
            computed = true;
            call(call, input, depth - 1);
        } else {
            text.append('?');
        }
    }

    private void call(RexCall call, RelNode input, int depth) {
        List<RexNode> operands = call.getOperands();
        String name = call.getOperator().getName();
        if (call.getKind() == SqlKind.CAST || call.getKind() == SqlKind.REINTERPRET) {
            text.append("CAST(");
            expression(operands.get(0), input, depth);
            text.append(" AS ").append(call.getType()).append(')');
        } else if (call.getOperator().getSyntax() == SqlSyntax.BINARY && operands.size() == 2) {
            text.append('(');
            expression(operands.get(0), input, depth);
            text.append(' ').append(name).append(' ');
            expression(operands.get(1), input, depth);
            text.append(')');
        } else {
            text.append(name).append('(');
            for (int i = 0; i < operands.size() && !full(); i++) {
                text.append(i == 0 ? "" : ", ");
                expression(operands.get(i), input, depth);
            }
            text.append(call instanceof RexOver ? ") OVER" : ")");
        }
    }
}
