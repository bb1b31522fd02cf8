package org.streampark.lineage.planner.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A statement in the form the parser gets it, with the back-ticks that were put in afterwards, so that the parser's
 * positions can be led back to the script.
 */
public final class SqlText {
    private record Quoted(int line, int column, int length) {}

    private final String text;
    private final List<Quoted> quoted;

    private SqlText(String text, List<Quoted> quoted) {
        this.text = text;
        this.quoted = quoted;
    }

    public static SqlText of(Statement statement) {
        return new SqlText(statement.padded(), List.of());
    }

    public String text() {
        return text;
    }

    /** The same text with the newly reserved word at, just behind or just before this place in back-ticks, if any. */
    public Optional<SqlText> quoteReservedWord(Position position) {
        int offset = offset(position.line(), position.column());
        List<Token> tokens = Tokens.of(text);
        int at = 0;
        while (at < tokens.size() && tokens.get(at).start() < offset) {
            at++;
        }
        for (int candidate : new int[] {at, at + 1, at - 1}) {
            if (candidate >= 0 && candidate < tokens.size() && ReservedWords.contains(tokens.get(candidate))) {
                return Optional.of(quote(tokens.get(candidate)));
            }
        }
        return Optional.empty();
    }

    private SqlText quote(Token token) {
        String quotedText = text.substring(0, token.start()) + '`' + token.text() + '`' + text.substring(token.end());
        int lineStart = text.lastIndexOf('\n', token.start() - 1) + 1;
        int line = 1 + (int) text.substring(0, lineStart).chars().filter(c -> c == '\n').count();
        List<Quoted> all = new ArrayList<>(quoted);
        all.add(new Quoted(line, token.start() - lineStart + 1, token.text().length()));
        return new SqlText(quotedText, all);
    }

    /** What is written at this place. */
    public String at(Position position) {
        int start = offset(position.line(), position.column());
        int end = offset(position.endLine(), position.endColumn()) + 1;
        return text.substring(Math.min(start, text.length()), Math.min(Math.max(start, end), text.length()));
    }

    /** Whether what is written at this place is said to be a model. */
    public boolean isModel(Position position) {
        int start = Math.min(offset(position.line(), position.column()), text.length());
        return text.substring(0, start).stripTrailing().toUpperCase(Locale.ROOT).endsWith(" MODEL");
    }

    private int offset(int line, int column) {
        int start = 0;
        for (int i = 1; i < line; i++) {
            int newline = text.indexOf('\n', start);
            if (newline < 0) {
                return text.length();
            }
            start = newline + 1;
        }
        return start + column - 1;
    }

    /** Where a place of this text is in the script. */
    public Position original(Position position) {
        return new Position(
                position.line(),
                originalColumn(position.line(), position.column()),
                position.endLine(),
                originalColumn(position.endLine(), position.endColumn()));
    }

    /** Undoes the insertions from the last to the first: each is a place in the text as it was then. */
    private int originalColumn(int line, int column) {
        int original = column;
        for (int i = quoted.size() - 1; i >= 0; i--) {
            Quoted word = quoted.get(i);
            if (word.line() == line && original > word.column()) {
                original -= original > word.column() + word.length() ? 2 : 1;
            }
        }
        return original;
    }
}
