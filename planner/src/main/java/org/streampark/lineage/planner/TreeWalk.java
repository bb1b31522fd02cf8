package org.streampark.lineage.planner;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Snapshot;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.planner.calcite.FlinkTypeFactory;
import org.apache.flink.table.planner.calcite.RexModelCall;
import org.apache.flink.table.planner.plan.schema.TableSourceTable;
import org.streampark.lineage.planner.stub.StubSource;
import org.streampark.lineage.planner.stub.TableDefinition;
import org.streampark.lineage.planner.versions.ByName;

/**
 * Finds every table in a validated query, before any optimisation: branches that the optimiser would prune are still
 * there, and so are temporary tables with their options. Sub-queries inside expressions are entered.
 */
final class TreeWalk {
    /** One use of a table or model. */
    record Input(List<String> path, String role) {}

    private final Set<Input> inputs = new LinkedHashSet<>();
    private final Set<TableDefinition> definitions = new LinkedHashSet<>();
    private final RexShuttle expressions = new RexShuttle() {
        @Override
        public RexNode visitSubQuery(RexSubQuery subQuery) {
            visit(subQuery.rel);
            return super.visitSubQuery(subQuery);
        }

        @Override
        public RexNode visitCall(RexCall call) {
            if (ByName.is(call, "RexModelCall")) {
                RexModelCall model = (RexModelCall) call;
                inputs.add(new Input(model.getContextResolvedModel().getIdentifier().toList(), "model"));
                return call;
            }
            return super.visitCall(call);
        }
    };

    private TreeWalk() {}

    static TreeWalk of(RelNode query) {
        TreeWalk walk = new TreeWalk();
        walk.visit(query);
        return walk;
    }

    Set<Input> inputs() {
        return inputs;
    }

    Set<TableDefinition> definitions() {
        return definitions;
    }

    private void visit(RelNode node) {
        if (node instanceof TableScan scan) {
            add(scan.getTable(), "scan");
            return;
        }
        TableScan lookedUp = node instanceof Snapshot snapshot ? lookedUp(snapshot) : null;
        if (lookedUp != null) {
            add(lookedUp.getTable(), "lookup");
            return;
        }
        node.accept(expressions);
        if (isVectorSearch(node)) {
            node.getInputs().forEach(this::searched);
        } else {
            node.getInputs().forEach(this::visit);
        }
    }

    private static boolean isVectorSearch(RelNode node) {
        return node instanceof TableFunctionScan scan
                && scan.getCall() instanceof RexCall call
                && call.getOperator().getName().equalsIgnoreCase("VECTOR_SEARCH");
    }

    /** The table that is searched is asked per row, as one that is looked up. */
    private void searched(RelNode node) {
        TableScan scan = scanBelow(node);
        if (scan == null) {
            visit(node);
        } else {
            add(scan.getTable(), "lookup");
        }
    }

    /**
     * The scan below FOR SYSTEM_TIME AS OF processing time, if it is one the planner turns into lookups: on event time,
     * or over anything more than a projection or filter of one table, the right side is read as a stream.
     */
    private static TableScan lookedUp(Snapshot snapshot) {
        if (!FlinkTypeFactory.isProctimeIndicatorType(snapshot.getPeriod().getType())) {
            return null;
        }
        return scanBelow(snapshot.getInput());
    }

    /** Null for anything more than a projection or filter of one table. */
    private static TableScan scanBelow(RelNode top) {
        RelNode node = top;
        while (node instanceof Project || node instanceof Filter) {
            node = node.getInput(0);
        }
        return node instanceof TableScan scan ? scan : null;
    }

    private void add(RelOptTable table, String role) {
        TableSourceTable source = table.unwrap(TableSourceTable.class);
        if (source != null && source.tableSource() instanceof StubSource stub) {
            ObjectIdentifier identifier = stub.definition().identifier();
            definitions.add(stub.definition());
            inputs.add(new Input(identifier.toList(), role));
        } else {
            inputs.add(new Input(new ArrayList<>(table.getQualifiedName()), role));
        }
    }
}
