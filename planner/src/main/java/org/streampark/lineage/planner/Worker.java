package org.streampark.lineage.planner;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.NullNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.streampark.lineage.planner.protocol.BadFrame;
import org.streampark.lineage.planner.protocol.FrameReader;
import org.streampark.lineage.planner.protocol.FrameWriter;
import org.streampark.lineage.planner.protocol.Json;

/**
 * Answers requests until the input ends. Scripts are planned on threads of their own, with the stack that deep
 * expressions need; ping and stats are answered at once, also while scripts are planned.
 */
final class Worker {
    private static final long STACK = 64L * 1024 * 1024;

    private final FrameReader in;
    private final FrameWriter out;
    private final ExecutorService planners;
    private final AtomicLong scripts = new AtomicLong();

    Worker(FrameReader in, FrameWriter out, int threads) {
        this.in = in;
        this.out = out;
        this.planners = Executors.newFixedThreadPool(threads, Worker::thread);
    }

    /** A daemon: the process ends with its input, whatever is being planned. */
    private static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "planner", STACK);
        thread.setDaemon(true);
        return thread;
    }

    /** Runs work on a planner thread and waits for it. */
    void first(Runnable work) throws Exception {
        planners.submit(work).get();
    }

    /** Returns at quit or at the end of the input; what is still being planned then is not waited for. */
    void run() throws IOException {
        while (true) {
            JsonNode id = NullNode.getInstance();
            try {
                String frame = in.read();
                if (frame == null) {
                    return;
                }
                JsonNode request = json(frame);
                id = request.path("id").isValueNode() ? request.get("id") : id;
                if (request.path("cmd").asText().equals("quit")) {
                    return;
                }
                answer(id, request);
            } catch (BadFrame e) {
                out.write(FrameWriter.failure(id, e.kind(), e.getMessage()));
            }
        }
    }

    private static JsonNode json(String frame) throws BadFrame {
        try {
            JsonNode request = Json.parse(frame);
            if (request.isObject()) {
                return request;
            }
        } catch (IOException notJson) {
            throw new BadFrame("BadRequest", "the request is not JSON");
        }
        throw new BadFrame("BadRequest", "the request is not a JSON object");
    }

    private void answer(JsonNode id, JsonNode request) throws IOException, BadFrame {
        String command = request.path("cmd").asText();
        switch (command) {
            case "plan" -> {
                PlanRequest plan = PlanRequest.of(request);
                planners.execute(() -> plan(id, plan));
            }
            case "ping" -> out.write(ok(id));
            case "stats" -> {
                ObjectNode stats = ok(id).put("scripts", scripts.get());
                Memory.describe(stats);
                out.write(stats);
            }
            default -> throw new BadFrame("BadRequest", "cmd is none of plan, ping, stats, quit");
        }
    }

    private void plan(JsonNode id, PlanRequest request) {
        long start = System.nanoTime();
        ObjectNode answer;
        try {
            ObjectNode planned = ScriptPlanner.plan(request);
            answer = ok(id).put("ms", (System.nanoTime() - start) / 1_000_000).put("rss", Memory.resident());
            answer.setAll(planned);
        } catch (Throwable e) {
            Failure failure = Failure.of(e);
            answer = FrameWriter.failure(id, failure.kind(), failure.message());
        }
        scripts.incrementAndGet();
        try {
            out.write(answer);
        } catch (IOException parentGone) {
            System.exit(1);
        }
    }

    private static ObjectNode ok(JsonNode id) {
        ObjectNode answer = Json.object();
        answer.set("id", id);
        return answer.put("ok", true);
    }
}
