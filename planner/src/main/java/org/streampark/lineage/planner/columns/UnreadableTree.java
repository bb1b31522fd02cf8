package org.streampark.lineage.planner.columns;

/** The columns of a query cannot be told. The message is one sentence without any text of the script. */
public final class UnreadableTree extends RuntimeException {
    UnreadableTree(String reason) {
        super(reason, null, false, false);
    }

    static UnreadableTree unknown(Object node) {
        return new UnreadableTree("columns are not followed through " + node.getClass().getSimpleName());
    }
}
