package org.streampark.lineage.planner;

/** A statement that cannot be planned; the script goes on behind it. */
final class StatementFailure extends Exception {
    private final transient Failure failure;

    StatementFailure(Failure failure) {
        super(failure.message(), null, false, false);
        this.failure = failure;
    }

    Failure failure() {
        return failure;
    }
}
