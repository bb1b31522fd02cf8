package org.streampark.lineage.planner.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A call in a text: the function's name (lower case, last part), its tokens {@code from} (first part of the name) to
 * {@code to} (closing parenthesis), whether it stands in TABLE(…), and how many columns {@code AS t(a, b)} gives it
 * there (0 where no list follows).
 */
public record Call(String name, int from, int to, boolean table, int columns) {
    public static List<Call> in(List<Token> tokens) {
        List<Call> calls = new ArrayList<>();
        int[] closing = closings(tokens);
        for (int i = 0; i + 1 < tokens.size(); i++) {
            if (tokens.get(i).isName() && tokens.get(i + 1).is("(")) {
                int from = firstPart(tokens, i);
                boolean table = from >= 2 && tokens.get(from - 1).is("(") && tokens.get(from - 2).is("TABLE");
                String name = tokens.get(i).name().toLowerCase(Locale.ROOT);
                calls.add(new Call(name, from, closing[i + 1], table, table ? columns(tokens, closing, from - 1) : 0));
            }
        }
        return calls;
    }

    /** The name as written, with its parts. */
    public static String path(List<Token> tokens, Call call) {
        StringBuilder path = new StringBuilder();
        for (int i = call.from; !tokens.get(i).is("("); i++) {
            path.append(tokens.get(i).text());
        }
        return path.toString();
    }

    private static int firstPart(List<Token> tokens, int lastPart) {
        int first = lastPart;
        while (first >= 2 && tokens.get(first - 1).is(".") && tokens.get(first - 2).isName()) {
            first -= 2;
        }
        return first;
    }

    /** For each opening parenthesis the index of its closing one, or of the last token. */
    private static int[] closings(List<Token> tokens) {
        int[] closing = new int[tokens.size()];
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            closing[i] = tokens.size() - 1;
            if (tokens.get(i).is("(")) {
                open.add(i);
            } else if (tokens.get(i).is(")") && !open.isEmpty()) {
                closing[open.remove(open.size() - 1)] = i;
            }
        }
        return closing;
    }

    /** Counts a, b of {@code TABLE(f(…)) AS t(a, b)}; the AS is optional. */
    private static int columns(List<Token> tokens, int[] closing, int tableParenthesis) {
        int at = closing[tableParenthesis] + 1;
        if (at < tokens.size() && tokens.get(at).is("AS")) {
            at++;
        }
        if (at + 1 >= tokens.size() || !tokens.get(at).isName() || !tokens.get(at + 1).is("(")) {
            return 0;
        }
        int count = 1;
        for (int i = at + 2; i < closing[at + 1]; i++) {
            count += tokens.get(i).is(",") ? 1 : 0;
        }
        return count;
    }
}
