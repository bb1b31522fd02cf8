package org.streampark.lineage.planner.columns;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Match;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Snapshot;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.flink.table.planner.plan.nodes.calcite.WatermarkAssigner;

/**
 * Follows the columns of one query, or of one sub-query, from its scans upwards. What decides about rows (conditions,
 * keys, order) touches every column of the query and is kept apart as its influences.
 */
final class QueryWalk {
    /** What a correlation variable stands for; {@code joined} by a correlated join, not by a sub-query. */
    record Row(List<Origins> columns, boolean joined) {}

    private final Sources sources;
    private final Budget budget;
    private final Map<CorrelationId, Row> rows;
    private final List<Origins> holder;
    private final Origins influences;

    QueryWalk(Sources sources, Budget budget) {
        this(sources, budget, Map.of(), List.of());
    }

    private QueryWalk(Sources sources, Budget budget, Map<CorrelationId, Row> rows, List<Origins> holder) {
        this.sources = sources;
        this.budget = budget;
        this.rows = new HashMap<>(rows);
        this.holder = holder;
        this.influences = none();
    }

    /**
     * A walk for a sub-query in an expression.
     *
     * @param holder the columns of the row that the expression is about
     * @param variables how the sub-query calls that row; planners before 2.0 leave them out
     */
    QueryWalk subQuery(List<Origins> holder, Set<CorrelationId> variables) {
        QueryWalk walk = new QueryWalk(sources, budget, rows, holder);
        variables.forEach(variable -> walk.rows.put(variable, new Row(holder, false)));
        return walk;
    }

    Row row(CorrelationId variable) {
        Row row = rows.get(variable);
        return row == null ? new Row(holder, false) : row;
    }

    Origins none() {
        return new Origins(budget);
    }

    /** What touches every column; complete when {@link #columns} has returned. */
    Origins influences() {
        return influences;
    }

    /** Adds something that decides about the rows of this query. */
    void influence(Origins origins, Use use) {
        influences.addAll(origins, use.bit());
    }

    /**
     * The origins of each output column of a node.
     *
     * @throws UnreadableTree where the node or anything below it is not known
     */
    List<Origins> columns(RelNode node) {
        budget.spend();
        if (node instanceof TableScan scan) {
            return sources.columns(scan, budget);
        }
        if (node instanceof Project project) {
            return project(project);
        }
        if (node instanceof Filter filter) {
            return filter(filter);
        }
        if (node instanceof Join join) {
            return join(join);
        }
        if (node instanceof Correlate correlate) {
            return correlate(correlate);
        }
        if (node instanceof Aggregate aggregate) {
            return aggregate(aggregate);
        }
        if (node instanceof SetOp operation) {
            return new SetOperation(this).columns(operation);
        }
        if (node instanceof Sort sort) {
            return sort(sort);
        }
        if (node instanceof Snapshot snapshot) {
            return snapshot(snapshot);
        }
        if (node instanceof WatermarkAssigner) {
            return columns(node.getInput(0));
        }
        if (node instanceof TableFunctionScan scan) {
            return new TableFunction(this).columns(scan);
        }
        if (node instanceof Uncollect uncollect) {
            return TableFunction.uncollect(uncollect, columns(uncollect.getInput()), this);
        }
        if (node instanceof Match match) {
            return new Matches(this).columns(match);
        }
        if (node instanceof Values) {
            return nothing(node);
        }
        throw UnreadableTree.unknown(node);
    }

    /** The columns of literal rows, or of none. */
    private List<Origins> nothing(RelNode node) {
        return node.getRowType().getFieldList().stream().map(field -> none()).toList();
    }

    private List<Origins> project(Project project) {
        Expressions expressions = new Expressions(this, columns(project.getInput()), project.getVariablesSet());
        return project.getProjects().stream().map(expressions::of).toList();
    }

    /**
     * A condition filters (WHERE FALSE lets nothing through), unless it belongs to a join: that of a lookup or temporal
     * join stands on the right side of a correlation, that of {@code FROM a, b WHERE a.id = b.id} over a cross join
     * (there it is counted as both).
     */
    private List<Origins> filter(Filter filter) {
        if (filter.getCondition().isAlwaysFalse()) {
            return nothing(filter);
        }
        List<Origins> columns = columns(filter.getInput());
        Expressions expressions = new Expressions(this, columns, filter.getVariablesSet());
        List<RexNode> conditions = RelOptUtil.conjunctions(filter.getCondition());
        List<Origins> read = conditions.stream().map(expressions::of).toList();
        boolean correlated = expressions.joined() || filter.getInput() instanceof Snapshot;
        CrossJoin cross = CrossJoin.of(filter.getInput());
        for (int i = 0; i < read.size(); i++) {
            influence(read.get(i), correlated ? Use.JOIN : Use.FILTER);
            if (cross.isJoined(conditions.get(i))) {
                influence(read.get(i), Use.JOIN);
            }
        }
        return columns;
    }

    private List<Origins> join(Join join) {
        List<Origins> left = columns(join.getLeft());
        List<Origins> both = concat(left, columns(join.getRight()));
        influence(new Expressions(this, both, join.getVariablesSet()).of(join.getCondition()), Use.JOIN);
        return join.getJoinType().projectsRight() ? both : left;
    }

    private List<Origins> correlate(Correlate correlate) {
        List<Origins> left = columns(correlate.getLeft());
        Row hidden = rows.put(correlate.getCorrelationId(), new Row(left, true));
        List<Origins> right = columns(correlate.getRight());
        if (hidden == null) {
            rows.remove(correlate.getCorrelationId());
        } else {
            rows.put(correlate.getCorrelationId(), hidden);
        }
        return correlate.getJoinType().projectsRight() ? concat(left, right) : left;
    }

    private static List<Origins> concat(List<Origins> left, List<Origins> right) {
        List<Origins> both = new ArrayList<>(left);
        both.addAll(right);
        return both;
    }

    private List<Origins> aggregate(Aggregate aggregate) {
        List<Origins> input = columns(aggregate.getInput());
        List<Origins> columns = new ArrayList<>();
        for (int key : aggregate.getGroupSet()) {
            influence(input.get(key), Use.GROUP_BY);
            columns.add(input.get(key));
        }
        for (AggregateCall call : aggregate.getAggCallList()) {
            columns.add(aggregated(call, input));
        }
        return columns;
    }

    private Origins aggregated(AggregateCall call, List<Origins> input) {
        Origins origins = none();
        SqlKind kind = call.getAggregation().getKind();
        // which keys a row is grouped by does not depend on what stands in them
        if (kind != SqlKind.GROUPING) {
            call.getArgList().forEach(argument -> origins.addAll(input.get(argument), Use.AGGREGATION.bit()));
        }
        if (call.hasFilter()) {
            origins.addAll(input.get(call.filterArg), Use.CONDITIONAL.bit());
        }
        for (RelFieldCollation key : call.getCollation().getFieldCollations()) {
            origins.addAll(input.get(key.getFieldIndex()), Use.SORT.bit());
        }
        return origins;
    }

    private List<Origins> sort(Sort sort) {
        List<Origins> columns = columns(sort.getInput());
        for (RelFieldCollation key : sort.getCollation().getFieldCollations()) {
            influence(columns.get(key.getFieldIndex()), Use.SORT);
        }
        return columns;
    }

    /** The time of FOR SYSTEM_TIME AS OF selects the version of the row that is joined. */
    private List<Origins> snapshot(Snapshot snapshot) {
        List<Origins> columns = columns(snapshot.getInput());
        influence(new Expressions(this, columns, Set.of()).of(snapshot.getPeriod()), Use.JOIN);
        return columns;
    }
}
