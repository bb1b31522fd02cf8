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

    /** Beside direct uses: on some way the value gets there without being hashed. */
    private static final int CLEAR = 1 << 30;

    private static final int DIRECT = IDENTITY.mask() | TRANSFORMATION.mask() | AGGREGATION.mask();
    private static final int INDIRECT = ~(DIRECT | CLEAR);

    private int mask() {
        return 1 << ordinal();
    }

    /** This use, of a value in the clear. */
    int bit() {
        return ordinal() <= AGGREGATION.ordinal() ? mask() | CLEAR : mask();
    }

    boolean isIn(int uses) {
        return (uses & mask()) != 0;
    }

    /** Whether a value that is taken directly gets there only as its hash. */
    static boolean isMasked(int uses) {
        return (uses & DIRECT) != 0 && (uses & CLEAR) == 0;
    }

    /** What becomes of a use inside of a hash function. */
    static int hashed(int uses) {
        return uses & ~CLEAR;
    }

    static int withoutIdentity(int uses) {
        return uses & ~IDENTITY.mask();
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
     * outer as well where that is. A value stays in the clear where it is in both.
     *
     * @param outer one direct use or any number of indirect ones
     */
    static int through(int uses, int outer) {
        int direct = uses & DIRECT;
        int indirect = uses & INDIRECT;
        if ((outer & DIRECT) == 0) {
            return indirect | outer & INDIRECT;
        }
        if (direct == 0 || isIdentity(outer)) {
            return uses;
        }
        int clear = uses & outer & CLEAR;
        if (AGGREGATION.isIn(outer)) {
            return indirect | AGGREGATION.mask() | clear;
        }
        int made = IDENTITY.isIn(direct) ? withoutIdentity(direct) | TRANSFORMATION.mask() : direct;
        return indirect | made | clear;
    }
}
