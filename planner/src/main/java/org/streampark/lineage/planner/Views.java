package org.streampark.lineage.planner;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.internal.TableEnvironmentInternal;
import org.apache.flink.table.catalog.CatalogManager;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.operations.Operation;
import org.apache.flink.table.operations.ddl.CreateViewOperation;
import org.apache.flink.table.utils.EncodingUtils;
import org.streampark.lineage.planner.text.Token;
import org.streampark.lineage.planner.text.Tokens;
import org.streampark.lineage.planner.versions.Tables;

/**
 * The views of a script. A view that reaches itself would be expanded without end, so it is refused when defined: that
 * happens through ALTER VIEW, and when a temporary view hides the table it reads. Definitions are kept, because a view
 * has its column types from when it was defined, and those change with what its functions are taken for.
 */
final class Views {
    private final Map<List<String>, Set<List<String>>> reads = new HashMap<>();
    private final Map<ObjectIdentifier, String> statements = new LinkedHashMap<>();

    /** @param expandedQuery the body as Flink stores it: every table with its three back-ticked parts */
    void define(ObjectIdentifier view, String expandedQuery) {
        List<String> name = view.toList();
        Set<List<String>> read = namesOfThreeParts(Tokens.of(expandedQuery));
        if (reaches(read, name, new HashSet<>())) {
            throw new ValidationException("View '" + view.asSummaryString() + "' is defined over itself.");
        }
        reads.put(name, read);
    }

    void created(CreateViewOperation create) {
        if (create.isIgnoreIfExists() && statements.containsKey(create.getViewIdentifier())) {
            return;
        }
        List<String> columns = create.getCatalogView().getUnresolvedSchema().getColumns().stream()
                .map(column -> EncodingUtils.escapeIdentifier(column.getName()))
                .toList();
        String kind = create.isTemporary() ? "TEMPORARY VIEW " : "VIEW ";
        statements.put(
                create.getViewIdentifier(),
                "CREATE " + kind + create.getViewIdentifier().asSerializableString() + " (" + String.join(", ", columns)
                        + ") AS " + create.getCatalogView().getExpandedQuery());
    }

    void forget(ObjectIdentifier identifier) {
        reads.remove(identifier.toList());
        statements.remove(identifier);
    }

    /** Defines all views anew, in their order; one that does not validate now stays as it was. */
    void redefine(TableEnvironmentInternal environment) {
        CatalogManager catalogs = environment.getCatalogManager();
        statements.forEach((view, statement) -> {
            try {
                Operation create = environment.getParser().parse(statement).get(0);
                if (Tables.isTemporary(catalogs, view)) {
                    catalogs.dropTemporaryView(view, true);
                } else {
                    Tables.dropView(catalogs, view);
                }
                environment.executeInternal(create);
            } catch (Throwable stillOfOldType) {
                // the statement that reads it fails again, and says so
            }
        });
    }

    private boolean reaches(Set<List<String>> from, List<String> goal, Set<List<String>> seen) {
        for (List<String> name : from) {
            if (name.equals(goal)
                    || seen.add(name) && reaches(reads.getOrDefault(name, Set.of()), goal, seen)) {
                return true;
            }
        }
        return false;
    }

    private static Set<List<String>> namesOfThreeParts(List<Token> tokens) {
        Set<List<String>> names = new HashSet<>();
        for (int i = 0; i + 4 < tokens.size(); i++) {
            if (tokens.get(i).isName()
                    && tokens.get(i + 1).is(".")
                    && tokens.get(i + 2).isName()
                    && tokens.get(i + 3).is(".")
                    && tokens.get(i + 4).isName()) {
                names.add(List.of(tokens.get(i).name(), tokens.get(i + 2).name(), tokens.get(i + 4).name()));
            }
        }
        return names;
    }
}
