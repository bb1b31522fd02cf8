package org.streampark.lineage.planner.parsed;

/** The text alone does not tell which tables a statement reads or writes, so nothing is said of it. */
public final class Untold extends Exception {
    public Untold(String message) {
        super(message, null, false, false);
    }
}
