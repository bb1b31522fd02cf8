package org.streampark.lineage.planner.columns;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.streampark.lineage.planner.versions.ByName;

/** Functions in FROM. */
final class TableFunction {
    private static final Set<String> WINDOWS = Set.of("TUMBLE", "HOP", "CUMULATE", "SESSION");

    private final QueryWalk query;

    TableFunction(QueryWalk query) {
        this.query = query;
    }

    List<Origins> columns(TableFunctionScan scan) {
        RexCall call = (RexCall) scan.getCall();
        String name = call.getOperator().getName();
        int width = scan.getRowType().getFieldCount();
        RexCall table = tableArgument(call);
        // before 2.0 the table is the input of the scan and no argument
        boolean isWindow = WINDOWS.contains(name) && scan.getInputs().size() == 1;
        if (table == null && !isWindow) {
            return ofArguments(call, width);
        }
        if (scan.getInputs().size() != 1) {
            throw new UnreadableTree("columns are not followed through a function of several tables");
        }
        RelNode input = scan.getInput(0);
        List<Origins> columns = query.columns(input);
        Origins described = described(call, input, columns);
        if (WINDOWS.contains(name)) {
            query.influence(described, Use.WINDOW);
            for (int key : partitionKeys(table == null ? call : table)) {
                query.influence(columns.get(key), Use.WINDOW);
            }
            return extended(columns, width, described);
        }
        if (name.equals("ML_PREDICT")) {
            return extended(columns, width, described);
        }
        if (name.equals("VECTOR_SEARCH")) {
            described.addAll(arguments(call), Use.TRANSFORMATION.bit());
            query.influence(described, Use.JOIN);
            return extended(columns, width, described);
        }
        throw new UnreadableTree("columns are not followed through " + name);
    }

    private static RexCall tableArgument(RexCall call) {
        for (RexNode operand : call.getOperands()) {
            if (isTable(operand)) {
                return (RexCall) operand;
            }
        }
        return null;
    }

    private static boolean isTable(RexNode operand) {
        return ByName.is(operand, "RexTableArgCall");
    }

    /** Kept by the argument, in 1.20 by the call itself; older versions have no partitions. */
    private static int[] partitionKeys(RexCall table) {
        return ByName.has(table, "getPartitionKeys") ? (int[]) ByName.get(table, "getPartitionKeys") : new int[0];
    }

    /** A user's function: each of its columns may be made of any argument. */
    private List<Origins> ofArguments(RexCall call, int width) {
        return extended(List.of(), width, arguments(call));
    }

    /** What the arguments that are values are made of. */
    private Origins arguments(RexCall call) {
        Expressions expressions = new Expressions(query, List.of(), Set.of());
        Origins origins = query.none();
        for (RexNode operand : call.getOperands()) {
            if (!isTable(operand) && operand.getKind() != SqlKind.DESCRIPTOR) {
                origins.addAll(expressions.of(operand), Use.TRANSFORMATION.bit());
            }
        }
        return origins;
    }

    /** The columns in DESCRIPTOR(…): a reference in planners before 2.0, later the name as a text. */
    private Origins described(RexCall call, RelNode input, List<Origins> columns) {
        Origins described = query.none();
        for (RexNode operand : call.getOperands()) {
            if (operand.getKind() == SqlKind.DESCRIPTOR) {
                for (RexNode column : ((RexCall) operand).getOperands()) {
                    described.addAll(columns.get(index(column, input)), Use.TRANSFORMATION.bit());
                }
            }
        }
        return described;
    }

    private static int index(RexNode column, RelNode input) {
        if (column instanceof RexInputRef reference) {
            return reference.getIndex();
        }
        RelDataTypeField field = column instanceof RexLiteral name
                ? input.getRowType().getField(String.valueOf(name.getValueAs(String.class)), true, false)
                : null;
        if (field == null) {
            throw new UnreadableTree("DESCRIPTOR names no column");
        }
        return field.getIndex();
    }

    /** The columns of the table, then those that the function makes of the described ones. */
    private static List<Origins> extended(List<Origins> columns, int width, Origins made) {
        List<Origins> all = new ArrayList<>(columns);
        while (all.size() < width) {
            all.add(made);
        }
        return all;
    }

    /** UNNEST: a map gives two columns, a list of rows one for each field, any other list one. */
    static List<Origins> uncollect(Uncollect uncollect, List<Origins> collections, QueryWalk query) {
        List<Origins> columns = new ArrayList<>();
        List<RelDataTypeField> fields = uncollect.getInput().getRowType().getFieldList();
        for (int i = 0; i < collections.size(); i++) {
            Origins elements = query.none();
            elements.addAll(collections.get(i), Use.TRANSFORMATION.bit());
            for (int made = width(fields.get(i).getType()); made > 0; made--) {
                columns.add(elements);
            }
        }
        if (uncollect.withOrdinality) {
            columns.add(query.none());
        }
        if (columns.size() != uncollect.getRowType().getFieldCount()) {
            throw UnreadableTree.unknown(uncollect);
        }
        return columns;
    }

    private static int width(RelDataType collection) {
        if (collection.getSqlTypeName() == SqlTypeName.MAP) {
            return 2;
        }
        RelDataType element = collection.getComponentType();
        return element != null && element.isStruct() ? element.getFieldCount() : 1;
    }
}
