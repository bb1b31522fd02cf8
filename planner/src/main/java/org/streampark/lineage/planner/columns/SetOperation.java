package org.streampark.lineage.planner.columns;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Union;

/**
 * UNION and INTERSECT, whose branches meet by position, and EXCEPT, whose further branches only take rows away. Without
 * ALL they give each row once, as SELECT DISTINCT does: all columns together decide about that.
 */
final class SetOperation {
    private final QueryWalk query;

    SetOperation(QueryWalk query) {
        this.query = query;
    }

    List<Origins> columns(SetOp operation) {
        List<Origins> columns = operation instanceof Minus ? remaining(operation) : merged(operation);
        if (!operation.all) {
            columns.forEach(column -> query.influence(column, Use.GROUP_BY));
        }
        return columns;
    }

    private List<Origins> remaining(SetOp operation) {
        for (RelNode other : operation.getInputs().subList(1, operation.getInputs().size())) {
            query.columns(other).forEach(column -> query.influence(column, Use.FILTER));
        }
        return query.columns(operation.getInput(0));
    }

    private List<Origins> merged(SetOp operation) {
        List<Origins> merged = new ArrayList<>();
        operation.getRowType().getFieldList().forEach(field -> merged.add(query.none()));
        for (RelNode branch : branches(operation)) {
            List<Origins> columns = query.columns(branch);
            for (int i = 0; i < merged.size(); i++) {
                merged.get(i).addAll(columns.get(i), Use.IDENTITY.bit());
            }
        }
        return merged;
    }

    /** A chain of unions is a deep tree of pairs, which would be merged again at every level. A UNION below UNION ALL stays. */
    private static List<RelNode> branches(SetOp operation) {
        if (!(operation instanceof Union)) {
            return operation.getInputs();
        }
        List<RelNode> branches = new ArrayList<>();
        Deque<RelNode> open = new ArrayDeque<>(List.of(operation));
        while (!open.isEmpty()) {
            RelNode next = open.pop();
            if (next instanceof Union union && (union.all || !operation.all)) {
                for (int i = next.getInputs().size() - 1; i >= 0; i--) {
                    open.push(next.getInput(i));
                }
            } else {
                branches.add(next);
            }
        }
        return branches;
    }
}
