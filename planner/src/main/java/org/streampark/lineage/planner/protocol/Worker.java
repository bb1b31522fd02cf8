package org.streampark.lineage.planner.protocol;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.NullNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Answers requests until the input ends. Scripts are planned on threads of their own, with the stack that deep
 * expressions need; ping and stats are answered at once, also while scripts are planned.
 */
public final class Worker {
    /** What an engine makes of a script. */
    public interface Engine {
        /** Reads a request; what it returns is done on a planner thread. */
        Callable<ObjectNode> read(JsonNode request) throws BadFrame;

        /** The answer to a script that failed as a whole. */
        ObjectNode failure(JsonNode id, Throwable error);
    }

    private static final int PROTOCOL = 1;
    private static final int MAX_REQUEST = 16 * 1024 * 1024;
    private static final int MAX_ANSWER = 64 * 1024 * 1024;
    private static final long STACK = 64L * 1024 * 1024;

    private final Engine engine;
    private final FrameReader in;
    private final FrameWriter out;
    private final ExecutorService planners;
    private final AtomicLong scripts = new AtomicLong();

    /** A worker between stdin and stdout; whatever a library prints goes to stderr from here on. */
    public Worker(Engine engine, int threads) {
        OutputStream answers = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));
        System.setOut(System.err);
        this.engine = engine;
        this.in = new FrameReader(new FileInputStream(FileDescriptor.in), MAX_REQUEST);
        this.out = new FrameWriter(answers, MAX_ANSWER);
        this.planners = Executors.newFixedThreadPool(threads, Worker::thread);
    }

    /** A daemon: the process ends with its input, whatever is being planned. */
    private static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "planner", STACK);
        thread.setDaemon(true);
        return thread;
    }

    /** Runs work on a planner thread and waits for it. */
    public void first(Runnable work) throws Exception {
        planners.submit(work).get();
    }

    /**
     * Says hello and answers; returns at quit or at the end of the input. What is still being planned then is not waited
     * for.
     */
    public void run(String name, String version, Class<?> main) throws IOException {
        String build = main.getPackage().getImplementationVersion();
        out.write(Json.object()
                .put("ready", true)
                .put("protocol", PROTOCOL)
                .put(name, version)
                .put("java", System.getProperty("java.version"))
                .put("build", build == null ? "unknown" : build));

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
                Callable<ObjectNode> plan = engine.read(request);
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

    private void plan(JsonNode id, Callable<ObjectNode> plan) {
        long start = System.nanoTime();
        ObjectNode answer;
        try {
            ObjectNode planned = plan.call();
            answer = ok(id).put("ms", (System.nanoTime() - start) / 1_000_000).put("rss", Memory.resident());
            answer.setAll(planned);
        } catch (Throwable e) {
            answer = engine.failure(id, e);
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
