package org.streampark.lineage.planner.parsed;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.streampark.lineage.planner.versions.ByName;

/** The parts of Flink's own statements, whose classes have other packages and methods in other versions. */
final class SyntaxNode {
    private SyntaxNode() {}

    /** The name that a CREATE, ALTER or DROP is about. */
    static List<String> name(SqlNode node) {
        return List.of((String[]) ByName.get(node, "getFullName", "fullTableName", "fullViewName"));
    }

    static SqlNode query(SqlNode node) {
        return (SqlNode) ByName.get(node, "getAsQuery", "getQuery", "getNewQuery");
    }

    static boolean isTemporary(SqlNode node) {
        return (Boolean) ByName.get(node, "isTemporary");
    }

    /** The options of WITH (…). */
    @SuppressWarnings("unchecked")
    static Map<String, String> options(SqlNode create) {
        if (ByName.has(create, "getProperties")) {
            return (Map<String, String>) ByName.get(create, "getProperties");
        }
        Map<String, String> options = new LinkedHashMap<>();
        for (SqlNode option : (SqlNodeList) ByName.get(create, "getPropertyList")) {
            options.put(
                    (String) ByName.get(option, "getKeyString"), (String) ByName.get(option, "getValueString"));
        }
        return options;
    }
}
