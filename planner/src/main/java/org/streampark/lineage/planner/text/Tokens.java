package org.streampark.lineage.planner.text;

import java.util.ArrayList;
import java.util.List;
import org.streampark.lineage.planner.text.Token.Kind;

/**
 * Cuts Flink SQL into tokens, just well enough to find keywords, calls and semicolons outside of strings and comments.
 * It never fails: what is unterminated reaches to the end of the text. A hint is read like SQL, not like a comment.
 */
public final class Tokens {
    private final String text;
    private final List<Token> tokens = new ArrayList<>();

    private Tokens(String text) {
        this.text = text;
    }

    public static List<Token> of(String text) {
        Tokens scan = new Tokens(text);
        int position = 0;
        while (position < text.length()) {
            position = scan.next(position);
        }
        return scan.tokens;
    }

    private int next(int start) {
        char c = text.charAt(start);
        if (Character.isWhitespace(c)) {
            return start + 1;
        }
        if (text.startsWith("--", start)) {
            return lineEnd(start);
        }
        if (text.startsWith("/*", start) && !text.startsWith("/*+", start)) {
            int end = text.indexOf("*/", start + 2);
            return end < 0 ? text.length() : end + 2;
        }
        return switch (c) {
            case '\'', '"' -> add(Kind.STRING, start, quoteEnd(start, c));
            case '`' -> add(Kind.QUOTED, start, quoteEnd(start, c));
            default -> Character.isJavaIdentifierPart(c)
                    ? add(Kind.WORD, start, wordEnd(start))
                    : add(Kind.SYMBOL, start, start + 1);
        };
    }

    private int add(Kind kind, int start, int end) {
        tokens.add(new Token(kind, text.substring(start, end), start));
        return end;
    }

    private int lineEnd(int start) {
        int end = start;
        while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
            end++;
        }
        return end;
    }

    private int wordEnd(int start) {
        int end = start;
        while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /** A quote inside is written twice. */
    private int quoteEnd(int start, char quote) {
        int end = start + 1;
        while (end < text.length()) {
            if (text.charAt(end) != quote) {
                end++;
            } else if (end + 1 < text.length() && text.charAt(end + 1) == quote) {
                end += 2;
            } else {
                return end + 1;
            }
        }
        return end;
    }
}
