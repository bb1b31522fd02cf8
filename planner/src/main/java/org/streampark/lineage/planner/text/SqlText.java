package org.streampark.lineage.planner.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A statement in the form the parser gets it: with parentheses in long chains and with the back-ticks that were put in
 * afterwards. It knows what was put in, so that the parser's positions can be led back to the script.
 */
public final class SqlText {
    /** One of a pair, to be put in before the character at this offset. */
    private record Bracket(int offset, char character, boolean closes) {}

    /** Its place in the text as it was when it had been put in. */
    private record Insertion(int line, int column, boolean closes) {}

    private final String text;
    private final List<Insertion> insertions;

    private SqlText(String text, List<Insertion> insertions) {
        this.text = text;
        this.insertions = insertions;
    }

    public static SqlText of(Statement statement) {
        return of(statement.padded());
    }

    public static SqlText of(String statement) {
        List<Bracket> brackets = new ArrayList<>();
        for (Chains.Group group : Chains.groups(statement)) {
            brackets.add(new Bracket(group.start(), '(', false));
            brackets.add(new Bracket(group.end(), ')', true));
        }
        brackets.sort(Comparator.comparing(Bracket::offset));
        return new SqlText(statement, List.of()).with(brackets);
    }

    /** The same text with these put in; they are in the order of their offsets. */
    private SqlText with(List<Bracket> brackets) {
        StringBuilder longer = new StringBuilder(text.length() + brackets.size());
        List<Insertion> all = new ArrayList<>(insertions);
        int line = 1;
        int lineStart = 0;
        int copied = 0;
        for (Bracket bracket : brackets) {
            for (; copied < bracket.offset(); copied++) {
                longer.append(text.charAt(copied));
                if (text.charAt(copied) == '\n') {
                    line++;
                    lineStart = longer.length();
                }
            }
            all.add(new Insertion(line, longer.length() - lineStart + 1, bracket.closes()));
            longer.append(bracket.character());
        }
        return new SqlText(longer.append(text, copied, text.length()).toString(), all);
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
        return with(List.of(new Bracket(token.start(), '`', false), new Bracket(token.end(), '`', true)));
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

    /** Undoes the insertions from the last to the first. */
    private int originalColumn(int line, int column) {
        int original = column;
        for (int i = insertions.size() - 1; i >= 0; i--) {
            Insertion inserted = insertions.get(i);
            if (inserted.line() == line && original >= inserted.column() + (inserted.closes() ? 0 : 1)) {
                original--;
            }
        }
        return original;
    }
}
