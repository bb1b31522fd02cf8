package org.streampark.lineage.planner.columns;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.streampark.lineage.planner.versions.ByName;

/** What the expressions of one node depend on. */
final class Expressions {
    /** Functions of which the result does not tell the argument. */
    private static final Set<String> HASHES = Set.of("MD5", "SHA1", "SHA2", "SHA224", "SHA256", "SHA384", "SHA512");

    private final QueryWalk query;
    private final List<Origins> inputs;
    private final Set<CorrelationId> variables;
    private final Origins matchTime;
    private boolean joined;

    /**
     * @param inputs the columns that the expressions refer to by number
     * @param variables the names under which sub-queries of this node refer to the same columns
     */
    Expressions(QueryWalk query, List<Origins> inputs, Set<CorrelationId> variables) {
        this(query, inputs, variables, query.none());
    }

    private Expressions(QueryWalk query, List<Origins> inputs, Set<CorrelationId> variables, Origins matchTime) {
        this.query = query;
        this.inputs = inputs;
        this.variables = variables;
        this.matchTime = matchTime;
    }

    /** For MATCH_RECOGNIZE, where {@code time} is the column that MATCH_ROWTIME() returns. */
    static Expressions ofMatch(QueryWalk query, List<Origins> inputs, Origins time) {
        return new Expressions(query, inputs, Set.of(), time);
    }

    /** Whether anything read so far belongs to the row on the other side of a correlated join. */
    boolean joined() {
        return joined;
    }

    /** The origins of a value. A plain reference shares those of the input. */
    Origins of(RexNode value) {
        if (value instanceof RexInputRef column) {
            return inputs.get(column.getIndex());
        }
        Origins origins = query.none();
        read(value, Use.IDENTITY.bit(), origins);
        return origins;
    }

    /** Adds what {@code node} depends on, where its value takes part by {@code outer}. */
    private void read(RexNode node, int outer, Origins into) {
        if (node instanceof RexInputRef column) {
            into.addAll(inputs.get(column.getIndex()), outer);
        } else if (node instanceof RexFieldAccess access) {
            field(access, outer, into);
        } else if (node instanceof RexOver over) {
            over(over, outer, into);
        } else if (node instanceof RexSubQuery subQuery) {
            subQuery(subQuery, outer, into);
        } else if (node instanceof RexCall call) {
            call(call, outer, into);
        } else if (!(node instanceof RexLiteral || node instanceof RexDynamicParam)) {
            throw UnreadableTree.unknown(node);
        }
    }

    private void readAll(List<RexNode> nodes, int outer, Origins into) {
        nodes.forEach(node -> read(node, outer, into));
    }

    private static int within(int outer, Use use) {
        return Use.through(use.bit(), outer);
    }

    /** a.b.c of a column, of the outer row of a correlation, or of a value that is computed. */
    private void field(RexFieldAccess access, int outer, Origins into) {
        Deque<RexFieldAccess> path = new ArrayDeque<>();
        RexNode base = access;
        while (base instanceof RexFieldAccess step) {
            path.push(step);
            base = step.getReferenceExpr();
        }
        Origins origins;
        if (base instanceof RexCorrelVariable variable) {
            QueryWalk.Row row = query.row(variable.id);
            joined |= row.joined();
            origins = row.columns().get(path.pop().getField().getIndex());
        } else {
            origins = of(base);
        }
        for (RexFieldAccess step : path) {
            origins = origins.field(step.getField().getName());
        }
        into.addAll(origins, outer);
    }

    private void over(RexOver over, int outer, Origins into) {
        readAll(over.getOperands(), within(outer, Use.AGGREGATION), into);
        int window = within(outer, Use.WINDOW);
        readAll(over.getWindow().partitionKeys, window, into);
        for (RexFieldCollation key : over.getWindow().orderKeys) {
            read(key.getKey(), window, into);
        }
    }

    private void call(RexCall call, int outer, Origins into) {
        int transformed = within(outer, Use.TRANSFORMATION);
        List<RexNode> operands = call.getOperands();
        switch (call.getKind()) {
            case CAST, REINTERPRET -> {
                RexNode value = operands.get(0);
                read(value, isSameType(call.getType(), value.getType()) ? outer : transformed, into);
            }
            case CASE -> caseWhen(operands, outer, into);
            // navigation between the rows of a match: the value itself is not touched
            case FINAL, RUNNING, FIRST, LAST, PREV, NEXT -> readAll(operands, outer, into);
            // $TUMBLE(time, size) and its like under GROUP BY
            case TUMBLE, HOP, SESSION -> {
                readAll(operands, transformed, into);
                query.influence(of(operands.get(0)), Use.WINDOW);
            }
            default -> {
                String name = call.getOperator().getName();
                if (name.equals("IF") && operands.size() == 3) {
                    caseWhen(operands, outer, into);
                } else if (name.equals("MATCH_ROWTIME")) {
                    into.addAll(matchTime, outer);
                } else if (!ByName.is(call, "RexModelCall")) {
                    boolean aggregate = call.getOperator() instanceof SqlAggFunction;
                    int inner = aggregate ? within(outer, Use.AGGREGATION) : transformed;
                    readAll(operands, HASHES.contains(name.toUpperCase(Locale.ROOT)) ? Use.hashed(inner) : inner, into);
                }
            }
        }
    }

    /** Condition and value by turns, then the value of ELSE. */
    private void caseWhen(List<RexNode> operands, int outer, Origins into) {
        boolean expanded = isExpandedSum(operands);
        for (int i = 0; i < operands.size(); i++) {
            boolean condition = i % 2 == 0 && i < operands.size() - 1;
            if (!condition || !expanded) {
                read(operands.get(i), within(outer, condition ? Use.CONDITIONAL : Use.TRANSFORMATION), into);
            }
        }
    }

    /** SUM(x) OVER w stands in the tree as CASE WHEN COUNT(x) OVER w > 0 THEN $SUM0(x) OVER w ELSE NULL END. */
    private static boolean isExpandedSum(List<RexNode> operands) {
        return operands.size() == 3
                && operands.get(0) instanceof RexCall condition
                && condition.getKind() == SqlKind.GREATER_THAN
                && condition.getOperands().get(0) instanceof RexOver count
                && count.getAggOperator().getKind() == SqlKind.COUNT
                && condition.getOperands().get(1) instanceof RexLiteral
                && operands.get(1) instanceof RexOver sum
                && sum.getAggOperator().getKind() == SqlKind.SUM0
                && sum.getOperands().equals(count.getOperands())
                && sum.getWindow().equals(count.getWindow());
    }

    /** What a sub-query filters, joins or groups by touches only what the sub-query helps to decide. */
    private void subQuery(RexSubQuery subQuery, int outer, Origins into) {
        QueryWalk inner = query.subQuery(inputs, variables);
        List<Origins> columns = inner.columns(subQuery.rel);
        readAll(subQuery.getOperands(), within(outer, Use.TRANSFORMATION), into);
        switch (subQuery.getKind()) {
            case SCALAR_QUERY -> columns.forEach(column -> into.addAll(column, outer));
            case ARRAY_QUERY_CONSTRUCTOR, MAP_QUERY_CONSTRUCTOR, MULTISET_QUERY_CONSTRUCTOR ->
                columns.forEach(column -> into.addAll(column, within(outer, Use.AGGREGATION)));
            case IN, SOME -> columns.forEach(column -> into.addAll(column, within(outer, Use.FILTER)));
            // whether there is a row does not depend on what stands in it
            case EXISTS -> {}
            default -> throw new UnreadableTree("columns are not followed through " + subQuery.getKind());
        }
        into.addAll(inner.influences(), outer);
    }

    /** Nullability and the mark of a time attribute are no change of the value. */
    private static boolean isSameType(RelDataType a, RelDataType b) {
        if (a.isStruct() || a.getComponentType() != null || a.getKeyType() != null) {
            return SqlTypeUtil.equalSansNullability(a, b);
        }
        return a.getSqlTypeName() == b.getSqlTypeName()
                && a.getPrecision() == b.getPrecision()
                && a.getScale() == b.getScale();
    }
}
