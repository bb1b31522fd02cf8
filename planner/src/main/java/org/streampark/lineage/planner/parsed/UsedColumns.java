package org.streampark.lineage.planner.parsed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.JoinConditionType;
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
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedSchema;

/**
 * The columns that a query uses of tables whose columns are not known. Where it is not certain whose column a name is,
 * there is no answer: a column would stand in the lineage of the wrong table.
 */
public final class UsedColumns {
    private static final Set<String> WINDOWS = Set.of("TUMBLE", "HOP", "CUMULATE", "SESSION");
    /** A kind that older versions of Calcite lack. */
    private static final String SET_SEMANTICS = "SET_SEMANTICS_TABLE";

    private static final List<String> WINDOW_COLUMNS = List.of("window_start", "window_end", "window_time");

    private final Declaration.Lookup declared;
    private final Map<ObjectIdentifier, OpenTable> tables = new LinkedHashMap<>();
    private final Set<ObjectIdentifier> views = new LinkedHashSet<>();
    private final Map<ObjectIdentifier, Relation> seenViews = new HashMap<>();
    private final Map<NameScope.Common, Relation> seenCommons = new IdentityHashMap<>();
    private final ColumnReader reader = new ColumnReader(this);
    private boolean positional;
    private Home home;

    private UsedColumns(Declaration.Lookup declared, Home home) {
        this.declared = declared;
        this.home = home;
    }

    /** @throws Untold where the use leaves open whose column a name is */
    public static UsedColumns of(List<SqlNode> queries, Home home, Declaration.Lookup declared) throws Untold {
        UsedColumns used = new UsedColumns(declared, home);
        for (SqlNode query : queries) {
            used.positional(used.query(query, new NameScope(null)));
        }
        return used;
    }

    public List<OpenTable> tables() {
        return List.copyOf(tables.values());
    }

    /** The views on the way that are known by their text alone, the inner ones first. */
    public Set<ObjectIdentifier> views() {
        return views;
    }

    /** Whether {@code *} stands for unknown columns where their order or number decides: then columns are not to be told. */
    public boolean isPositional() {
        return positional;
    }

    void positional(Relation output) {
        positional |= !output.open().isEmpty();
    }

    Relation query(SqlNode node, NameScope scope) throws Untold {
        switch (node.getKind()) {
            case SELECT -> {
                return select((SqlSelect) node, new NameScope(scope));
            }
            case WITH -> {
                NameScope inside = new NameScope(scope);
                for (SqlNode item : ((SqlWith) node).withList) {
                    SqlWithItem common = (SqlWithItem) item;
                    if (common.columnList != null && !common.columnList.isEmpty()) {
                        throw new Untold("the columns of " + common.name.getSimple() + " are renamed");
                    }
                    inside.common(common.name.getSimple(), common.query);
                }
                return query(((SqlWith) node).body, inside);
            }
            case ORDER_BY -> {
                SqlOrderBy ordered = (SqlOrderBy) node;
                if (ordered.query instanceof SqlSelect select) {
                    NameScope inside = new NameScope(scope);
                    Relation output = select(select, inside);
                    reader.order(ordered.orderList, output, inside);
                    return output;
                }
                Relation output = query(ordered.query, scope);
                reader.order(ordered.orderList, output, new NameScope(null));
                return output;
            }
            case UNION, INTERSECT, EXCEPT -> {
                List<Relation> branches = new ArrayList<>();
                for (SqlNode operand : FromItem.operands((SqlCall) node)) {
                    branches.add(query(operand, scope));
                }
                // by position, and types are made equal: a conversion that is none in truth would be told
                positional |= !tables.isEmpty();
                return branches.get(0);
            }
            case EXPLICIT_TABLE -> {
                return item(FromItem.first(node), new NameScope(scope));
            }
            case VALUES -> {
                reader.all(FromItem.operands((SqlCall) node), scope, null);
                return Relation.OPAQUE;
            }
            default -> throw new Untold("columns are not followed through " + node.getKind());
        }
    }

    private Relation select(SqlSelect select, NameScope scope) throws Untold {
        if (select.getFrom() != null) {
            from(select.getFrom(), scope);
        }
        for (SqlNode operand : FromItem.operands(select)) {
            if (operand != select.getFrom() && operand != select.getSelectList()) {
                reader.read(operand, scope, operand == select.getWhere() || operand == select.getHaving() ? TypeHints.TRUTH : null);
            }
        }
        List<Relation> parts = new ArrayList<>();
        for (SqlNode item : select.getSelectList()) {
            if (item instanceof SqlIdentifier star && star.isStar()) {
                parts.add(starred(star, scope));
                continue;
            }
            reader.read(item, scope, null);
            if (item.getKind() == SqlKind.AS) {
                parts.add(Relation.named(List.of(((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple())));
            } else if (item instanceof SqlIdentifier column) {
                parts.add(Relation.named(List.of(FromItem.last(column))));
            }
        }
        return Relation.union(parts);
    }

    private static Relation starred(SqlIdentifier star, NameScope scope) throws Untold {
        if (star.names.size() == 1) {
            return Relation.union(scope.items());
        }
        Relation relation = star.names.size() == 2 ? scope.aliased(star.names.get(0)) : null;
        if (relation == null) {
            throw new Untold("what " + star + " stands for is not certain");
        }
        return relation;
    }

    private void from(SqlNode item, NameScope scope) throws Untold {
        if (!(item instanceof SqlJoin join)) {
            scope.add(FromItem.alias(item), item(item, scope));
            return;
        }
        int first = scope.size();
        from(join.getLeft(), scope);
        int between = scope.size();
        from(join.getRight(), scope);
        if (join.isNatural()) {
            throw new Untold("a natural join");
        }
        if (join.getConditionType() == JoinConditionType.USING) {
            for (SqlNode name : (SqlNodeList) join.getCondition()) {
                scope.merge(FromItem.last((SqlIdentifier) name), first, between);
            }
        } else {
            reader.read(join.getCondition(), scope, TypeHints.TRUTH);
        }
    }

    Relation item(SqlNode item, NameScope scope) throws Untold {
        switch (item.getKind()) {
            case IDENTIFIER -> {
                return table((SqlIdentifier) item, scope);
            }
            case TABLE_REF, TABLESAMPLE -> {
                return item(FromItem.first(item), scope);
            }
            case LATERAL -> {
                SqlNode inner = FromItem.first(item);
                return inner.getKind().belongsTo(SqlKind.QUERY) ? query(inner, scope) : item(inner, scope);
            }
            case AS -> {
                return aliased((SqlCall) item, scope);
            }
            case SNAPSHOT -> {
                SqlSnapshot snapshot = (SqlSnapshot) item;
                reader.read(snapshot.getPeriod(), scope, TypeHints.TIME);
                return item(snapshot.getTableRef(), scope);
            }
            case COLLECTION_TABLE -> {
                return tableFunction(FromItem.first(item), scope);
            }
            case UNNEST -> {
                reader.all(FromItem.operands((SqlCall) item), scope, "ARRAY<STRING>");
                return Relation.OPAQUE;
            }
            case MATCH_RECOGNIZE -> {
                SqlMatchRecognize match = (SqlMatchRecognize) item;
                return reader.match(match, item(match.getTableRef(), scope));
            }
            case PIVOT, UNPIVOT, JOIN -> throw new Untold("columns are not followed through " + item.getKind());
            default -> {
                // a query in FROM does not see what stands beside it
                return query(item, scope.parent());
            }
        }
    }

    private Relation aliased(SqlCall as, NameScope scope) throws Untold {
        SqlNode inner = as.operand(0);
        if (as.operandCount() <= 2) {
            return item(inner, scope);
        }
        List<String> names = new ArrayList<>();
        for (int i = 2; i < as.operandCount(); i++) {
            names.add(((SqlIdentifier) as.operand(i)).getSimple());
        }
        if (inner.getKind() == SqlKind.UNNEST && names.size() > 1) {
            String fields = String.join(" STRING, ", names.stream().map(UsedColumns::quoted).toList());
            reader.all(FromItem.operands((SqlCall) inner), scope, "ARRAY<ROW<" + fields + " STRING>>");
        } else if (!item(inner, scope).open().isEmpty()) {
            throw new Untold("unknown columns are renamed");
        }
        return Relation.named(names);
    }

    public static String quoted(String name) {
        return '`' + name.replace("`", "``") + '`';
    }

    private Relation table(SqlIdentifier name, NameScope scope) throws Untold {
        NameScope.Common common = name.names.size() == 1 ? scope.common(name.names.get(0)) : null;
        if (common != null) {
            Relation known = seenCommons.get(common);
            if (known == null) {
                known = query(common.query(), common.scope());
                seenCommons.put(common, known);
            }
            return known;
        }
        if (name.names.size() > 1 && scope.aliased(name.names.get(0)) != null) {
            throw new Untold(name + " may be a column");
        }
        ObjectIdentifier path = home.qualify(name.names);
        scope.qualified(path);
        Declaration declaration = declared.find(path);
        if (declaration != null && declaration.schema() != null) {
            return Relation.of(columns(declaration.schema()));
        }
        if (declaration instanceof Declaration.View view) {
            return view(path, view);
        }
        if (declaration instanceof Declaration.Table table && table.options() == null) {
            throw new Untold("the definition of " + path.asSummaryString() + " is not known");
        }
        Map<String, String> options = declaration instanceof Declaration.Table table ? table.options() : Map.of();
        return new Relation(Map.of(), List.of(tables.computeIfAbsent(path, any -> new OpenTable(path, options))), false);
    }

    private Relation view(ObjectIdentifier path, Declaration.View view) throws Untold {
        if (seenViews.containsKey(path)) {
            Relation seen = seenViews.get(path);
            if (seen == null) {
                throw new Untold("the view " + path.asSummaryString() + " is defined over itself");
            }
            return seen;
        }
        seenViews.put(path, null);
        Home here = home;
        home = view.home();
        Relation relation = query(view.query(), new NameScope(null));
        home = here;
        seenViews.put(path, relation);
        views.add(path);
        return relation;
    }

    private static Map<String, String> columns(ResolvedSchema schema) {
        Map<String, String> columns = new LinkedHashMap<>();
        for (Column column : schema.getColumns()) {
            String type = column.getDataType().getLogicalType().copy(true).asSummaryString();
            columns.put(column.getName(), type.contains("RAW(") || type.contains("*") ? null : type);
        }
        return columns;
    }

    /** Windows have the columns of their table and three more; of other functions only the arguments are known. */
    private Relation tableFunction(SqlNode node, NameScope scope) throws Untold {
        if (!(node instanceof SqlCall call)) {
            throw new Untold("a table function of unknown form");
        }
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        boolean isWindow = WINDOWS.contains(name);
        Relation input = null;
        for (SqlNode operand : FromItem.operands(call)) {
            SqlNode argument = operand != null && operand.getKind() == SqlKind.ARGUMENT_ASSIGNMENT ? FromItem.first(operand) : operand;
            if (argument == null) {
                continue;
            }
            boolean isSet = argument.getKind().name().equals(SET_SEMANTICS);
            SqlNode table = isSet ? FromItem.first(argument) : argument;
            if (table.getKind().belongsTo(SqlKind.QUERY)) {
                input = query(table, scope.parent());
                if (isSet) {
                    NameScope ofTable = new NameScope(null);
                    ofTable.add(null, input);
                    List<SqlNode> rest = FromItem.operands((SqlCall) argument);
                    reader.all(rest.subList(1, rest.size()), ofTable, null);
                }
                if (!isWindow && input.isOpen()) {
                    throw new Untold("columns are not followed through " + name);
                }
            } else if (argument instanceof SqlCall descriptor
                    && descriptor.getOperator().getName().equalsIgnoreCase("DESCRIPTOR")) {
                for (SqlNode column : FromItem.operands(descriptor)) {
                    if (input != null && column instanceof SqlIdentifier id) {
                        NameScope.useAsTime(FromItem.last(id), input);
                    }
                }
            } else {
                reader.read(argument, scope, null);
            }
        }
        return isWindow && input != null ? input.and(WINDOW_COLUMNS) : Relation.OPAQUE;
    }
}
