package org.streampark.lineage.planner;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.streampark.lineage.planner.text.Token;
import org.streampark.lineage.planner.text.Tokens;

/**
 * Which view reads which: a view that reaches itself would be expanded without end, so it is refused when defined. That
 * happens through ALTER VIEW, and when a temporary view hides the table it reads.
 */
final class Views {
    private final Map<List<String>, Set<List<String>>> reads = new HashMap<>();

    /** @param expandedQuery the body as Flink stores it: every table with its three back-ticked parts */
    void define(ObjectIdentifier view, String expandedQuery) {
        List<String> name = view.toList();
        Set<List<String>> read = namesOfThreeParts(Tokens.of(expandedQuery));
        if (reaches(read, name, new HashSet<>())) {
            throw new ValidationException("View '" + view.asSummaryString() + "' is defined over itself.");
        }
        reads.put(name, read);
    }

    void forget(ObjectIdentifier identifier) {
        reads.remove(identifier.toList());
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
