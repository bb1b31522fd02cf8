package org.streampark.lineage.planner;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.table.operations.ddl.CreateTableOperation;
import org.streampark.lineage.planner.versions.Tables;

/**
 * Tables of Flink 1.13 and before say {@code connector.type}. That key alone sends them down a path that bypasses the
 * stubs and fails, so it has another name while the script is planned and gets its own back in the answer.
 */
final class LegacyOptions {
    private static final String KEY = "connector.type";
    private static final String HIDDEN = "legacy-connector.type";

    private LegacyOptions() {}

    static CreateTableOperation hide(CreateTableOperation create) {
        Map<String, String> options = Tables.created(create).getOptions();
        return options.containsKey(KEY) ? Tables.withOptions(create, renamed(options, KEY, HIDDEN)) : create;
    }

    static Map<String, String> restore(Map<String, String> options) {
        return options.containsKey(HIDDEN) ? renamed(options, HIDDEN, KEY) : options;
    }

    private static Map<String, String> renamed(Map<String, String> options, String from, String to) {
        Map<String, String> renamed = new LinkedHashMap<>(options);
        renamed.put(to, renamed.remove(from));
        return renamed;
    }
}
