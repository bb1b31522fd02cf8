package org.streampark.lineage.planner;

import java.util.Arrays;
import org.streampark.lineage.planner.text.Position;
import org.streampark.lineage.planner.text.Token;

/** Lines and columns of the tokens of one text. */
final class Places {
    private final int[] lineStarts;

    Places(String text) {
        int[] starts = new int[16];
        int lines = 1;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\n') {
                if (lines == starts.length) {
                    starts = Arrays.copyOf(starts, lines * 2);
                }
                starts[lines++] = i + 1;
            }
        }
        lineStarts = Arrays.copyOf(starts, lines);
    }

    Position span(Token first, Token last) {
        int end = last.end() - 1;
        return new Position(line(first.start()), column(first.start()), line(end), column(end));
    }

    boolean covers(Position position, Token token) {
        return position.covers(line(token.start()), column(token.start()));
    }

    private int line(int offset) {
        int found = Arrays.binarySearch(lineStarts, offset);
        return found >= 0 ? found + 1 : -found - 1;
    }

    private int column(int offset) {
        return offset - lineStarts[line(offset) - 1] + 1;
    }
}
