package org.streampark.lineage.planner.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Long chains of OR and of AND, taken apart into groups. Calcite looks at all operators of an expression to find the
 * next one to reduce, so a chain costs the square of its length; in parentheses each group costs its own square only.
 * Both words are associative and nothing binds weaker but words that end an expression, so the meaning is the same.
 */
final class Chains {
    /** Shorter chains stay as they are written: they are cheap, and most scripts have no others. */
    private static final int LONG = 512;
    private static final int GROUP = 128;
    /** Words that no operand holds outside of parentheses: the operand before or behind is another expression's. */
    private static final Set<String> ENDS = Set.of(
            "SELECT", "FROM", "WHERE", "GROUP", "HAVING", "WINDOW", "QUALIFY", "ORDER", "LIMIT", "OFFSET", "FETCH", "UNION",
            "INTERSECT", "EXCEPT", "MINUS", "VALUES", "JOIN", "ON", "USING", "SET", "AS", "WHEN", "THEN", "ELSE", "INSERT",
            "WITH", "INTO", "MEASURES");

    /** Two offsets: where an opening parenthesis goes in, and where the closing one does. */
    record Group(int start, int end) {}

    /** One expression that is open: what follows it at the same depth belongs to it. */
    private static final class Expression {
        /** CASE is closed by END, a parenthesis by its like. */
        private final boolean isCase;
        private final List<Token> ors = new ArrayList<>();
        private final List<Token> ands = new ArrayList<>();
        private int betweens;

        private Expression(boolean isCase) {
            this.isCase = isCase;
        }
    }

    private final List<Group> groups = new ArrayList<>();
    private final Deque<Expression> open = new ArrayDeque<>();

    private Chains() {}

    /** The groups of all long chains; none crosses another. */
    static List<Group> groups(String text) {
        Chains chains = new Chains();
        if (text.length() < LONG * "1 OR ".length()) {
            return chains.groups;
        }
        chains.open.push(new Expression(false));
        for (Token token : Tokens.of(text)) {
            chains.take(token);
        }
        while (!chains.open.isEmpty()) {
            chains.close();
        }
        return chains.groups;
    }

    private void take(Token token) {
        if (token.kind() != Token.Kind.WORD && token.kind() != Token.Kind.SYMBOL) {
            return;
        }
        Expression expression = open.element();
        String word = token.text().toUpperCase(Locale.ROOT);
        switch (word) {
            case "(", "[" -> open.push(new Expression(false));
            case "CASE" -> open.push(new Expression(true));
            case ")", "]" -> leave(false);
            case "END" -> leave(true);
            case ",", ";" -> end(expression);
            case "BETWEEN" -> expression.betweens++;
            case "AND" -> and(expression, token);
            case "OR" -> {
                endAnds(expression);
                expression.ors.add(token);
            }
            default -> {
                if (ENDS.contains(word)) {
                    end(expression);
                }
            }
        }
    }

    /** The AND of BETWEEN a AND b joins no conditions. */
    private static void and(Expression expression, Token token) {
        if (expression.betweens > 0) {
            expression.betweens--;
        } else {
            expression.ands.add(token);
        }
    }

    /** A bracket that closes what was not opened closes nothing: the parser will say so. */
    private void leave(boolean isCase) {
        if (open.size() > 1 && open.element().isCase == isCase) {
            close();
        }
    }

    private void close() {
        end(open.pop());
    }

    private void end(Expression expression) {
        endAnds(expression);
        group(expression.ors);
        expression.ors.clear();
    }

    private void endAnds(Expression expression) {
        group(expression.ands);
        expression.ands.clear();
        expression.betweens = 0;
    }

    /**
     * What stands between two words of a chain is an operand; before the first and behind the last there may be more
     * than one, so these stay outside.
     */
    private void group(List<Token> words) {
        if (words.size() < LONG) {
            return;
        }
        for (int first = 0; first + 1 < words.size(); first += GROUP) {
            int last = Math.min(first + GROUP, words.size() - 1);
            groups.add(new Group(words.get(first).end(), words.get(last).start()));
        }
    }
}
