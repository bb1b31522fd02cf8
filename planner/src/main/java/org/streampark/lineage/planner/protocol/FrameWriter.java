package org.streampark.lineage.planner.protocol;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;

/** Writes one JSON object a line; answers of several threads never mix. */
public final class FrameWriter {
    private final OutputStream out;
    private final int limit;

    public FrameWriter(OutputStream out, int limit) {
        this.out = out;
        this.limit = limit;
    }

    /**
     * Writes an answer. One that is over the limit loses its compiled plans first (the trees stay), and is refused as a
     * whole only if that does not help.
     */
    public void write(ObjectNode answer) throws IOException {
        byte[] frame = bytes(answer);
        if (frame == null) {
            frame = bytes(withoutPlans(answer));
        }
        if (frame == null) {
            String message = "the answer is over the limit of " + limit + " bytes";
            frame = bytes(failure(answer.get("id"), "AnswerTooLarge", message));
        }
        synchronized (this) {
            out.write(frame);
            out.flush();
        }
    }

    /** The answer to a request that failed as a whole. */
    public static ObjectNode failure(JsonNode id, String kind, String message) {
        ObjectNode answer = Json.object();
        answer.set("id", id);
        answer.put("ok", false);
        answer.putObject("error").put("class", kind).put("message", message);
        return answer;
    }

    private static ObjectNode withoutPlans(ObjectNode answer) {
        for (JsonNode insert : answer.path("inserts")) {
            ((ObjectNode) insert)
                    .putNull("plan")
                    .putObject("planError")
                    .put("class", "AnswerTooLarge")
                    .put("message", "the compiled plans of this script are too large to hand over");
        }
        return answer;
    }

    private byte[] bytes(ObjectNode answer) throws IOException {
        Bounded frame = new Bounded(limit);
        try {
            Json.mapper().writeValue(frame, answer);
        } catch (IOException e) {
            if (frame.full) {
                return null;
            }
            throw e;
        }
        frame.write('\n');
        return frame.toByteArray();
    }

    /** Stops the serialisation at the limit instead of filling the heap. */
    private static final class Bounded extends ByteArrayOutputStream {
        private final int limit;
        private boolean full;

        private Bounded(int limit) {
            super(16 * 1024);
            this.limit = limit;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            full |= count + length > limit;
            if (full) {
                throw new IllegalStateException("frame limit");
            }
            super.write(bytes, offset, length);
        }
    }
}
