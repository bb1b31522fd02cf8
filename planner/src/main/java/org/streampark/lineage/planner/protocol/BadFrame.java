package org.streampark.lineage.planner.protocol;

/** A request that cannot be understood. It is answered with {@code ok:false}; the worker lives on. */
public final class BadFrame extends Exception {
    private final String kind;

    public BadFrame(String kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** Goes out as the error's {@code class}. */
    public String kind() {
        return kind;
    }
}
