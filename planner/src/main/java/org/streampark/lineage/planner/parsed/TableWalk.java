package org.streampark.lineage.planner.parsed;

import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlMatchRecognize;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSnapshot;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.streampark.lineage.planner.versions.ByName;

/**
 * Finds every table of a query that was parsed and not validated. Each common table expression and each view is walked
 * once, however often it is used, and only if it is. What the walk does not understand it does not pass over: then
 * nothing is told at all.
 */
public final class TableWalk {
    /** One use of a table or model; {@code hints} are options that the use itself gives. */
    public record Input(ObjectIdentifier path, String role, Map<String, String> hints) {}

    private final Declaration.Lookup declared;
    private final ProcessingTime processingTime;
    private final Set<Input> inputs = new LinkedHashSet<>();
    private final Set<Scope.Common> walked = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Views seen so far; true while the walk is inside. */
    private final Map<ObjectIdentifier, Boolean> views = new HashMap<>();
    private Home home;

    private TableWalk(Declaration.Lookup declared, Home home) {
        this.declared = declared;
        this.processingTime = new ProcessingTime(declared);
        this.home = home;
    }

    /** The tables that these queries, expressions or (as {@code from}, which may be null) tables read. */
    public static Set<Input> of(SqlNode from, List<SqlNode> rest, Home home, Declaration.Lookup declared)
            throws Untold {
        TableWalk walk = new TableWalk(declared, home);
        Scope scope = Scope.outermost().inner();
        if (from != null) {
            walk.from(from, scope);
        }
        walk.expressions(rest, scope);
        return walk.inputs;
    }

    private void query(SqlNode node, Scope scope) throws Untold {
        switch (node.getKind()) {
            case SELECT -> select((SqlSelect) node, scope.inner());
            case WITH -> {
                Scope inside = scope;
                for (SqlNode item : ((SqlWith) node).withList) {
                    inside = inside.with(((SqlWithItem) item).name.getSimple(), ((SqlWithItem) item).query);
                }
                query(((SqlWith) node).body, inside);
            }
            case ORDER_BY -> {
                SqlOrderBy ordered = (SqlOrderBy) node;
                query(ordered.query, scope);
                expression(ordered.orderList, scope);
            }
            case UNION, INTERSECT, EXCEPT -> {
                for (SqlNode operand : FromItem.operands((SqlCall) node)) {
                    query(operand, scope);
                }
            }
            case EXPLICIT_TABLE -> from(FromItem.first(node), scope.inner());
            case VALUES -> expressions(FromItem.operands((SqlCall) node), scope);
            default -> throw notUnderstood(node);
        }
    }

    private void select(SqlSelect select, Scope scope) throws Untold {
        if (select.getFrom() != null) {
            from(select.getFrom(), scope);
        }
        for (SqlNode operand : FromItem.operands(select)) {
            if (operand != select.getFrom()) {
                expression(operand, scope);
            }
        }
    }

    /** An item becomes visible by its alias to those on its right. */
    private void from(SqlNode item, Scope scope) throws Untold {
        if (item instanceof SqlJoin join) {
            from(join.getLeft(), scope);
            from(join.getRight(), scope);
            expression(join.getCondition(), scope);
            return;
        }
        item(item, scope);
        String alias = FromItem.alias(item);
        if (alias != null) {
            scope.alias(alias, item);
        }
    }

    private void item(SqlNode item, Scope scope) throws Untold {
        switch (item.getKind()) {
            case IDENTIFIER -> table((SqlIdentifier) item, Map.of(), "scan", scope);
            case TABLE_REF -> {
                Map<String, String> hints = FromItem.options(((SqlCall) item).operand(1));
                table((SqlIdentifier) FromItem.first(item), hints, "scan", scope);
            }
            case AS, LATERAL, TABLESAMPLE -> item(FromItem.first(item), scope);
            case SNAPSHOT -> snapshot((SqlSnapshot) item, scope);
            case COLLECTION_TABLE, UNNEST -> expressions(FromItem.operands((SqlCall) item), scope);
            case MATCH_RECOGNIZE -> {
                SqlMatchRecognize match = (SqlMatchRecognize) item;
                from(match.getTableRef(), scope.inner());
                expression(match.getPatternDefList(), scope);
                expression(match.getMeasureList(), scope);
            }
            case JOIN -> from(item, scope);
            default -> query(item, scope);
        }
    }

    private void snapshot(SqlSnapshot snapshot, Scope scope) throws Untold {
        SqlIdentifier table = FromItem.table(snapshot.getTableRef());
        boolean isLookup = table != null
                && processingTime.isCertain(snapshot.getPeriod(), scope, home)
                && (table.names.size() > 1 || scope.common(table.names.get(0)) == null)
                && !(declared.find(home.qualify(table.names)) instanceof Declaration.View);
        if (isLookup) {
            SqlNode named = snapshot.getTableRef().getKind() == SqlKind.AS
                    ? FromItem.first(snapshot.getTableRef())
                    : snapshot.getTableRef();
            boolean isHinted = named.getKind() == SqlKind.TABLE_REF;
            table(table, isHinted ? FromItem.options(((SqlCall) named).operand(1)) : Map.of(), "lookup", scope);
        } else {
            item(snapshot.getTableRef(), scope);
        }
    }

    private void table(SqlIdentifier name, Map<String, String> hints, String role, Scope scope) throws Untold {
        Scope.Common common = name.names.size() == 1 ? scope.common(name.names.get(0)) : null;
        if (common != null) {
            if (walked.add(common)) {
                query(common.query(), common.scope());
            }
            return;
        }
        boolean isNested = name.names.size() > 1 && isAlias(name.names.get(0), scope);
        if (isNested && (name.names.size() > 3 || declared.find(home.qualify(name.names)) == null)) {
            return;
        }
        ObjectIdentifier path = home.qualify(name.names);
        if (declared.find(path) instanceof Declaration.View view) {
            view(path, view);
        } else {
            inputs.add(new Input(path, role, hints));
        }
    }

    /** {@code FROM t, t.list} reads a column of t. */
    private static boolean isAlias(String firstPart, Scope scope) {
        SqlNode item = scope.aliased(firstPart);
        return item != null && FromItem.hides(item, firstPart);
    }

    private void view(ObjectIdentifier path, Declaration.View view) throws Untold {
        Boolean isInside = views.putIfAbsent(path, true);
        if (isInside != null) {
            if (isInside) {
                throw new Untold("the view " + path.asSummaryString() + " is defined over itself");
            }
            return;
        }
        Home here = home;
        home = view.home();
        query(view.query(), Scope.outermost());
        home = here;
        views.put(path, false);
    }

    private void expressions(List<SqlNode> nodes, Scope scope) throws Untold {
        for (SqlNode node : nodes) {
            expression(node, scope);
        }
    }

    /** Only queries, TABLE and MODEL arguments name tables here; any other identifier is a column or a function. */
    private void expression(SqlNode node, Scope scope) throws Untold {
        if (node instanceof SqlNodeList list) {
            expressions(list.getList(), scope);
        } else if (ByName.is(node, "SqlExplicitModelCall")) {
            SqlIdentifier model = (SqlIdentifier) ByName.get(node, "getModelIdentifier");
            inputs.add(new Input(home.qualify(model.names), "model", Map.of()));
        } else if (node instanceof SqlCall call) {
            if (call.getKind().belongsTo(SqlKind.QUERY)) {
                query(call, scope);
            } else if (call.getOperator().getName().equalsIgnoreCase("VECTOR_SEARCH")) {
                search(call, scope);
            } else {
                expressions(FromItem.operands(call), scope);
            }
        }
    }

    /** The table that is searched is asked per row, as one that is looked up. */
    private void search(SqlCall search, Scope scope) throws Untold {
        for (SqlNode operand : FromItem.operands(search)) {
            boolean isNamed = operand != null && operand.getKind() == SqlKind.ARGUMENT_ASSIGNMENT;
            SqlNode argument = isNamed ? FromItem.first(operand) : operand;
            boolean isTable = argument != null && argument.getKind() == SqlKind.EXPLICIT_TABLE;
            if (isTable && FromItem.first(argument) instanceof SqlIdentifier name) {
                table(name, Map.of(), "lookup", scope);
            } else {
                expression(argument, scope);
            }
        }
    }

    private static Untold notUnderstood(SqlNode node) {
        return new Untold("the tables of " + node.getKind() + " are not known without validation");
    }
}
