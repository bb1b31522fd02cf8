package org.streampark.lineage.planner.text;

/** A statement and the 1-based place in the whole script where its text begins. */
public record Statement(String text, int line, int column) {
    /**
     * The text behind as many newlines and blanks as put it at its place in the script: positions in the parser's
     * messages, also those that are only text, then are positions in the script.
     */
    public String padded() {
        return "\n".repeat(line - 1) + " ".repeat(column - 1) + text;
    }

    /** The last line the text reaches to. */
    public int lastLine() {
        return line + (int) text.chars().filter(c -> c == '\n').count();
    }

    /** The part between two offsets, as a statement of its own. */
    public Statement part(int start, int end) {
        int lines = 0;
        int lineStart = -1;
        for (int i = 0; i < start; i++) {
            if (text.charAt(i) == '\n') {
                lines++;
                lineStart = i;
            }
        }
        int partColumn = lines == 0 ? column + start : start - lineStart;
        return new Statement(text.substring(start, end), line + lines, partColumn);
    }
}
