package org.streampark.lineage.planner.spark;

import java.util.concurrent.Callable;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.streampark.lineage.planner.protocol.BadFrame;
import org.streampark.lineage.planner.protocol.FrameWriter;
import org.streampark.lineage.planner.protocol.Request;
import org.streampark.lineage.planner.protocol.Worker;

/** The worker for Spark SQL: speaks the planner's protocol and reads scripts with Spark's own parser. Argument: the number of threads. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        Worker worker = new Worker(new Spark(), arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1);
        worker.first(Warmup::read);
        worker.run("spark", org.apache.spark.package$.MODULE$.SPARK_VERSION(), Main.class);
    }

    private static final class Spark implements Worker.Engine {
        @Override
        public Callable<ObjectNode> read(JsonNode request) throws BadFrame {
            Session session = new Session(Request.options(request.path("options")));
            var statements = Request.statements(request.path("statements"));
            return () -> new ScriptReader(session).read(statements);
        }

        @Override
        public ObjectNode failure(JsonNode id, Throwable error) {
            return FrameWriter.failure(id, error.getClass().getSimpleName(), Failures.message(error));
        }
    }
}
