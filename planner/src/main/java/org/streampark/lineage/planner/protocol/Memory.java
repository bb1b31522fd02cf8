package org.streampark.lineage.planner.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;

/** How much memory the worker has, in bytes; the resident size only where the system tells it (Linux). */
final class Memory {
    private static final Path STATUS = Path.of("/proc/self/status");

    private Memory() {}

    static void describe(ObjectNode stats) {
        Runtime runtime = Runtime.getRuntime();
        stats.put("heapUsed", runtime.totalMemory() - runtime.freeMemory());
        stats.put("heapMax", runtime.maxMemory());
        Long resident = resident();
        stats.put("rss", resident);
    }

    /** Null where the system does not tell. */
    static Long resident() {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(null);
        } catch (IOException notLinux) {
            return null;
        }
    }
}
