package org.streampark.lineage.planner.text;

/** A span of the script, 1-based, ends included. */
public record Position(int line, int column, int endLine, int endColumn) {
    public boolean covers(int atLine, int atColumn) {
        boolean afterStart = atLine > line || atLine == line && atColumn >= column;
        boolean beforeEnd = atLine < endLine || atLine == endLine && atColumn <= endColumn;
        return afterStart && beforeEnd;
    }
}
