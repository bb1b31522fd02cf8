package org.streampark.lineage.planner.spark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.analysis.RelationTimeTravel;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.UnresolvedWith;
import scala.Tuple2;

/** The tables that a query reads, each once, wherever they stand in it: joins, sub-queries of expressions, CTEs, lateral joins. */
final class Reads {
    private final Session session;
    private final Map<String, List<TableUse>> common;
    private final Set<TableUse> found = new LinkedHashSet<>();

    Reads(Session session) {
        this(session, Map.of());
    }

    /** {@code common}: what the common table expressions in scope read. */
    private Reads(Session session, Map<String, List<TableUse>> common) {
        this.session = session;
        this.common = common;
    }

    /** A fresh reader in the same scope. */
    Reads again() {
        return new Reads(session, common);
    }

    List<TableUse> found() {
        return new ArrayList<>(found);
    }

    /** A reader in whose scope the expressions of {@code with} are. Each sees those before it. */
    Reads inside(UnresolvedWith with) {
        Map<String, List<TableUse>> scope = new HashMap<>(common);
        for (Tuple2<String, SubqueryAlias> expression : Scala.list(with.cteRelations())) {
            Reads reads = new Reads(session, Map.copyOf(scope));
            reads.plan(expression._2());
            scope.put(expression._1().toLowerCase(Locale.ROOT), reads.found());
        }
        return new Reads(session, scope);
    }

    void plan(LogicalPlan plan) {
        if (plan instanceof UnresolvedRelation relation) {
            relation(Scala.list(relation.multipartIdentifier()));
        } else if (plan instanceof RelationTimeTravel travel) {
            plan(travel.relation());
        } else if (plan instanceof UnresolvedWith with) {
            Reads inner = inside(with);
            inner.plan(with.child());
            found.addAll(inner.found);
        } else {
            for (LogicalPlan child : Scala.list(plan.children())) {
                plan(child);
            }
            expressions(plan);
        }
    }

    /** The sub-queries in the expressions of a plan. */
    void expressions(LogicalPlan plan) {
        for (Expression expression : Scala.list(plan.expressions())) {
            expression(expression);
        }
    }

    private void expression(Expression expression) {
        if (expression instanceof SubqueryExpression subquery) {
            plan(subquery.plan());
        }
        for (Expression child : Scala.list(expression.children())) {
            expression(child);
        }
    }

    private void relation(List<String> parts) {
        List<TableUse> expression = parts.size() == 1 ? common.get(parts.get(0).toLowerCase(Locale.ROOT)) : null;
        found.addAll(expression == null ? session.read(parts) : expression);
    }
}
