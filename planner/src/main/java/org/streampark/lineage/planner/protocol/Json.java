package org.streampark.lineage.planner.protocol;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.core.JsonFactory;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.core.JsonFactoryBuilder;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.core.StreamReadConstraints;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.core.StreamWriteConstraints;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.core.json.JsonWriteFeature;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * JSON in and out, through the Jackson that Flink brings along. Output is pure ASCII: every other character is written
 * as an escape, so no reader can disagree about encodings, line separators or halves of a surrogate pair.
 */
public final class Json {
    private static final int NESTING = 2_000;
    private static final ObjectMapper MAPPER = new ObjectMapper(factory());

    private Json() {}

    private static JsonFactory factory() {
        JsonFactoryBuilder builder = (JsonFactoryBuilder) JsonFactory.builder();
        builder.enable(JsonWriteFeature.ESCAPE_NON_ASCII);
        // Flink before 1.19 has a Jackson without limits on reading, Flink before 2.1 one without limits on writing
        try {
            ReadLimits.raise(builder);
            WriteLimits.raise(builder);
        } catch (LinkageError noLimits) {
            return builder.build();
        }
        return builder.build();
    }

    private static final class ReadLimits {
        static void raise(JsonFactoryBuilder builder) {
            builder.streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(NESTING)
                    .maxStringLength(64 * 1024 * 1024)
                    .build());
        }
    }

    private static final class WriteLimits {
        static void raise(JsonFactoryBuilder builder) {
            builder.streamWriteConstraints(
                    StreamWriteConstraints.builder().maxNestingDepth(NESTING).build());
        }
    }

    public static JsonNode parse(String text) throws IOException {
        return MAPPER.readTree(text);
    }

    static ObjectMapper mapper() {
        return MAPPER;
    }

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    public static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    public static ArrayNode strings(Collection<String> values) {
        ArrayNode array = array();
        values.forEach(array::add);
        return array;
    }

    public static ObjectNode strings(Map<String, String> values) {
        ObjectNode object = object();
        values.forEach(object::put);
        return object;
    }
}
