package org.streampark.lineage.planner.spark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.streampark.lineage.planner.protocol.Json;

/**
 * A table as a statement uses it: its name (catalog, namespace, table) and what the script says of it: {@code provider},
 * {@code location} and, as {@code option.…}, its options. {@code declared}: whether the script says anything.
 */
record TableUse(List<String> path, boolean temporary, boolean declared, Map<String, String> facts) {
    static TableUse undeclared(List<String> path) {
        return new TableUse(path, false, false, Map.of());
    }

    static TableUse declared(
            List<String> path, boolean temporary, String provider, String location, Map<String, String> options) {
        Map<String, String> facts = new LinkedHashMap<>();
        if (provider != null) {
            facts.put("provider", provider.toLowerCase(Locale.ROOT));
        }
        if (location != null) {
            facts.put("location", location);
        }
        options.forEach((key, value) -> facts.put("option." + key.toLowerCase(Locale.ROOT), value));
        return new TableUse(path, temporary, true, facts);
    }

    ObjectNode json(String role) {
        ObjectNode json = Json.object();
        json.set("path", Json.strings(path));
        json.put("role", role).put("temporary", temporary);
        json.set("options", Json.strings(facts));
        json.set("columns", Json.array());
        json.set("primaryKey", Json.array());
        json.set("partitionKeys", Json.array());
        return json;
    }
}
