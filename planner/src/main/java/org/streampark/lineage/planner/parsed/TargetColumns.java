package org.streampark.lineage.planner.parsed;

import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.flink.sql.parser.dml.RichSqlInsert;
import org.apache.flink.sql.parser.dml.SqlExecute;
import org.streampark.lineage.planner.text.Statement;
import org.streampark.lineage.planner.versions.ByName;

/** The columns that an INSERT names as its target, with those of PARTITION. */
public final class TargetColumns {
    private TargetColumns() {}

    /** Empty where it names none, or anything but columns: which they are is then a matter of the table. */
    public static Set<String> of(Statement statement) throws SqlParseException {
        SqlNode node = SqlReader.read(statement);
        while (node instanceof SqlExecute execute) {
            node = execute.getStatement();
        }
        if (!(node instanceof RichSqlInsert insert)
                || insert.getTargetColumnList() == null
                || insert.getTargetColumnList().isEmpty()) {
            return Set.of();
        }
        Set<String> columns = new LinkedHashSet<>();
        for (SqlNode column : insert.getTargetColumnList()) {
            if (!(column instanceof SqlIdentifier name) || name.names.size() != 1) {
                return Set.of();
            }
            columns.add(name.getSimple());
        }
        insert.getStaticPartitions().forEach(partition -> columns.add((String) ByName.get(partition, "getKeyString")));
        return columns;
    }
}
