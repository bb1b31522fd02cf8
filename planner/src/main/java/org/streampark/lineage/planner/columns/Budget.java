package org.streampark.lineage.planner.columns;

/** Bounds work and memory of one walk: wide unions of wide tables have millions of pairs, which nobody would read. */
final class Budget {
    private int left;

    Budget(int steps) {
        left = steps;
    }

    void spend() {
        if (--left < 0) {
            throw new UnreadableTree("the columns have too many origins");
        }
    }
}
