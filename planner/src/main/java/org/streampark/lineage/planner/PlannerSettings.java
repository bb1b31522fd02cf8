package org.streampark.lineage.planner;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;

/**
 * Which of the script's settings reach the planner, and which values hold whatever the script says. The forced ones
 * keep plans complete and serializable and take back what stub sources and sinks would make the planner refuse.
 */
final class PlannerSettings {
    private static final Map<String, String> FORCED = forced();
    private static final List<String> WITHHELD =
            List.of("table.sql-dialect", "table.catalog-store.", "table.resources.", "table.catalog-modification.");

    private PlannerSettings() {}

    private static Map<String, String> forced() {
        Map<String, String> forced = new LinkedHashMap<>();
        forced.put("table.plan.compile.catalog-objects", "ALL");
        forced.put("table.dynamic-table-options.enabled", "true");
        forced.put("table.exec.sink.upsert-materialize", "NONE");
        forced.put("table.exec.sink.require-on-conflict", "false");
        forced.put("table.exec.source.cdc-events-duplicate", "false");
        forced.put("table.optimizer.non-deterministic-update.strategy", "IGNORE");
        forced.put("table.optimizer.reuse-sink-enabled", "false");
        forced.put("table.optimizer.multi-join.enabled", "false");
        forced.put("table.optimizer.delta-join.strategy", "NONE");
        forced.put("table.optimizer.multiple-input-enabled", "false");
        forced.put("table.optimizer.adaptive-broadcast-join.strategy", "NONE");
        forced.put("table.optimizer.skewed-join-optimization.strategy", "NONE");
        forced.put("table.optimizer.dynamic-filtering.enabled", "false");
        forced.put("table.optimizer.runtime-filter.enabled", "false");
        forced.put("table.exec.disabled-operators", "SortMergeJoin");
        return forced;
    }

    /** Sets one option of the script if planning depends on it; says whether it does. */
    static boolean apply(Configuration configuration, String key, String value) {
        if (!key.startsWith("table.") || WITHHELD.stream().anyMatch(key::startsWith)) {
            return false;
        }
        configuration.setString(key, value);
        force(configuration);
        return true;
    }

    static void force(Configuration configuration) {
        FORCED.forEach(configuration::setString);
    }
}
