package org.streampark.lineage.planner.spark;

import java.util.List;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.streampark.lineage.planner.text.Statement;

/** A script with the usual shapes, read before the worker says it is ready: it proves that all of Spark's jars are there. */
final class Warmup {
    private Warmup() {}

    static void read() {
        List<Statement> script = List.of(
                new Statement("SET spark.sql.catalog.lake=org.apache.iceberg.spark.SparkCatalog", 1, 1),
                new Statement("CREATE TEMPORARY VIEW o USING jdbc OPTIONS (url 'jdbc:mysql://h/d', dbtable 't')", 2, 1),
                new Statement("CREATE TABLE s (id BIGINT, v STRING) USING parquet LOCATION 's3a://b/s'", 3, 1),
                new Statement(
                        "MERGE INTO lake.d.t USING (WITH c AS (SELECT * FROM o) SELECT * FROM c WHERE id IN (SELECT id FROM s)) x"
                                + " ON t.id = x.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
                        4,
                        1));
        for (JsonNode statement : new ScriptReader(new Session(Map.of())).read(script).path("statements")) {
            if (statement.has("error")) {
                throw new IllegalStateException("the worker's own first script fails: " + statement.get("error"));
            }
        }
    }
}
