package org.streampark.lineage.planner.text;

/** One lexical piece of a SQL text: {@code text} as written, {@code start} its offset. */
public record Token(Kind kind, String text, int start) {
    /** What a token is; comments and blanks are none. */
    public enum Kind {
        WORD,
        STRING,
        QUOTED,
        SYMBOL
    }

    public int end() {
        return start + text.length();
    }

    public boolean is(String word) {
        return (kind == Kind.WORD || kind == Kind.SYMBOL) && text.equalsIgnoreCase(word);
    }

    public boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED;
    }

    /** The name a word or back-ticked word stands for. */
    public String name() {
        return kind == Kind.QUOTED && text.length() >= 2 && text.endsWith("`")
                ? text.substring(1, text.length() - 1).replace("``", "`")
                : text;
    }
}
