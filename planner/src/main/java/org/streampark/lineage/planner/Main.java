package org.streampark.lineage.planner;

import java.util.concurrent.Callable;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.streampark.lineage.planner.protocol.BadFrame;
import org.streampark.lineage.planner.protocol.FrameWriter;
import org.streampark.lineage.planner.protocol.Worker;

/**
 * The planner worker: JSON lines in on stdin, JSON lines out on stdout. Arguments: the number of planner threads
 * (default 1), or {@code warm} to load what scripts usually load and end, for the class archive.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        boolean archive = arguments.length > 0 && arguments[0].equals("warm");
        int threads = arguments.length > 0 && !archive ? Integer.parseInt(arguments[0]) : 1;
        Worker worker = new Worker(new Flink(), threads);
        worker.first(archive ? Warmup::medium : Warmup::small);
        if (!archive) {
            worker.run("flink", EnvironmentInformation.getVersion(), Main.class);
        }
    }

    private static final class Flink implements Worker.Engine {
        @Override
        public Callable<ObjectNode> read(JsonNode request) throws BadFrame {
            PlanRequest plan = PlanRequest.of(request);
            return () -> ScriptPlanner.plan(plan);
        }

        @Override
        public ObjectNode failure(JsonNode id, Throwable error) {
            Failure failure = Failure.of(error);
            return FrameWriter.failure(id, failure.kind(), failure.message());
        }
    }
}
