package org.streampark.lineage.planner;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.streampark.lineage.planner.text.Statement;

/**
 * A script with the usual shapes, planned once before the worker says it is ready: the first plan is the slow one. It
 * also proves that all of Flink's jars are there.
 */
final class Warmup {
    private static final List<String> SMALL = statements("""
            CREATE TABLE s (id BIGINT, v STRING, ts TIMESTAMP(3), p AS PROCTIME(), WATERMARK FOR ts AS ts)
              WITH ('connector' = 'kafka');
            CREATE TEMPORARY TABLE d (id BIGINT, n STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'jdbc');
            CREATE TABLE t (id BIGINT, v STRING, n STRING) WITH ('connector' = 'doris');
            INSERT INTO t SELECT s.id, UPPER(s.v), d.n FROM s LEFT JOIN d FOR SYSTEM_TIME AS OF s.p ON s.id = d.id
            """);

    private static final List<String> MEDIUM = statements("""
            CREATE CATALOG c WITH ('type' = 'paimon', 'warehouse' = 'file:/w');
            CREATE TABLE c.db.w (id BIGINT, n BIGINT, latest TIMESTAMP(3), PRIMARY KEY (id) NOT ENFORCED)
              PARTITIONED BY (id);
            CREATE FUNCTION f AS 'x.F';
            CREATE VIEW v AS SELECT id, COUNT(*) AS n FROM s GROUP BY id;
            INSERT INTO c.db.w
              SELECT id, SUM(n), MAX(ts) FROM (SELECT v.id, v.n, s.ts FROM v JOIN s ON v.id = s.id) GROUP BY id;
            INSERT INTO t
              SELECT id, f(v), CASE WHEN id > 3 THEN 'a' ELSE 'b' END FROM s WHERE id IN (SELECT id FROM d)
              UNION ALL SELECT 1, 'a', 'b';
            INSERT INTO c.db.w
              SELECT id, COUNT(DISTINCT v), window_end
              FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end;
            INSERT INTO t
              SELECT id, v, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) AS r FROM s)
              WHERE r = 1
            """);

    private Warmup() {}

    private static List<String> statements(String script) {
        return List.of(script.split(";\n"));
    }

    static void small() {
        plan(SMALL, false);
    }

    /** For the run that records the class archive: what scripts usually load. */
    static void medium() {
        List<String> all = new ArrayList<>(SMALL);
        all.addAll(MEDIUM);
        plan(all, false);
        plan(all, true);
    }

    private static void plan(List<String> statements, boolean batch) {
        ObjectNode answer = ScriptPlanner.plan(new PlanRequest(
                batch,
                true,
                true,
                false,
                "default_catalog",
                "default_database",
                Map.of(),
                List.of(),
                statements.stream().map(text -> new Statement(text, 1, 1)).toList(),
                Map.of()));
        for (JsonNode statement : answer.path("statements")) {
            if (statement.has("error")) {
                throw new IllegalStateException("the planner's own first script fails: " + statement.get("error"));
            }
        }
    }
}
