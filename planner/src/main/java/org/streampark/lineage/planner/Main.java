package org.streampark.lineage.planner;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.OutputStream;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.streampark.lineage.planner.protocol.FrameReader;
import org.streampark.lineage.planner.protocol.FrameWriter;
import org.streampark.lineage.planner.protocol.Json;

/**
 * The planner worker: JSON lines in on stdin, JSON lines out on stdout. Arguments: the number of planner threads
 * (default 1), or {@code warm} to load what scripts usually load and end, for the class archive.
 */
public final class Main {
    private static final int PROTOCOL = 1;
    private static final int MAX_REQUEST = 16 * 1024 * 1024;
    private static final int MAX_ANSWER = 64 * 1024 * 1024;

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        OutputStream answers = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));
        // Whatever a library prints must not end up among the answers.
        System.setOut(System.err);
        boolean archive = arguments.length > 0 && arguments[0].equals("warm");
        int threads = arguments.length > 0 && !archive ? Integer.parseInt(arguments[0]) : 1;
        FrameWriter out = new FrameWriter(answers, MAX_ANSWER);
        Worker worker =
                new Worker(new FrameReader(new FileInputStream(FileDescriptor.in), MAX_REQUEST), out, threads);
        worker.first(archive ? Warmup::medium : Warmup::small);
        if (!archive) {
            out.write(hello());
            worker.run();
        }
    }

    private static ObjectNode hello() {
        String build = Main.class.getPackage().getImplementationVersion();
        return Json.object()
                .put("ready", true)
                .put("protocol", PROTOCOL)
                .put("flink", EnvironmentInformation.getVersion())
                .put("java", System.getProperty("java.version"))
                .put("build", build == null ? "unknown" : build);
    }
}
