package org.streampark.lineage.planner.columns;

/**
 * How a source column takes part in a value, by the names of OpenLineage's column lineage facet. The first three say
 * that the value is made of it, the others that it decides which value or which row there is.
 */
enum Use {
    IDENTITY,
    TRANSFORMATION,
    AGGREGATION,
    JOIN,
    GROUP_BY,
    FILTER,
    SORT,
    WINDOW,
    CONDITIONAL;

    private static final int DIRECT = IDENTITY.bit() | TRANSFORMATION.bit() | AGGREGATION.bit();

    int bit() {
        return 1 << ordinal();
    }

    boolean isIn(int uses) {
        return (uses & bit()) != 0;
    }

    boolean isDirect() {
        return isIn(DIRECT);
    }

    /** Whether nothing else is in the set, so that passing through it changes no use. */
    static boolean isIdentity(int uses) {
        return uses == IDENTITY.bit();
    }

    /**
     * What becomes of {@code uses} when their value takes part in another one by {@code outer}: what was direct becomes
     * as outer says (an aggregate of a transformed column is an aggregate); what was indirect stays, and is indirect by
     * outer as well where that is.
     *
     * @param outer one direct use or any number of indirect ones
     */
    static int through(int uses, int outer) {
        int direct = uses & DIRECT;
        int indirect = uses & ~DIRECT;
        if ((outer & DIRECT) == 0) {
            return indirect | outer;
        }
        if (direct == 0 || isIdentity(outer)) {
            return uses;
        }
        if (AGGREGATION.isIn(outer)) {
            return indirect | AGGREGATION.bit();
        }
        return IDENTITY.isIn(direct) ? uses & ~IDENTITY.bit() | TRANSFORMATION.bit() : uses;
    }
}
