package org.streampark.lineage.planner.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Takes statement sets apart, so that each INSERT is planned by itself at its own place. A whole set, the first piece
 * that a naive splitter makes of it ({@code EXECUTE STATEMENT SET BEGIN INSERT …}) and its last ({@code END}) are all
 * understood.
 */
public final class StatementSets {
    private static final List<List<String>> OPENINGS = List.of(
            List.of("EXECUTE", "STATEMENT", "SET", "BEGIN"),
            List.of("STATEMENT", "SET", "BEGIN"),
            List.of("BEGIN", "STATEMENT", "SET"));

    private StatementSets() {}

    /** The statements inside; the statement itself where it is no set; nothing for a bare BEGIN … SET or END. */
    public static List<Statement> open(Statement statement, List<Token> tokens) {
        int opening = openingLength(tokens);
        List<Statement> parts = new ArrayList<>();
        int first = opening;
        for (int i = opening; i <= tokens.size(); i++) {
            boolean end = i == tokens.size();
            if (!end && !(opening > 0 && tokens.get(i).is(";"))) {
                continue;
            }
            if (i > first && !isEnd(tokens.subList(first, i))) {
                parts.add(statement.part(tokens.get(first).start(), tokens.get(i - 1).end()));
            }
            first = i + 1;
        }
        return parts;
    }

    private static int openingLength(List<Token> tokens) {
        for (List<String> opening : OPENINGS) {
            if (tokens.size() >= opening.size() && matches(tokens, opening)) {
                return opening.size();
            }
        }
        return 0;
    }

    private static boolean matches(List<Token> tokens, List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            if (!tokens.get(i).is(words.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isEnd(List<Token> tokens) {
        return tokens.get(0).is("END") && (tokens.size() == 1 || tokens.size() == 2 && tokens.get(1).is(";"))
                || tokens.size() == 1 && tokens.get(0).is(";");
    }
}
