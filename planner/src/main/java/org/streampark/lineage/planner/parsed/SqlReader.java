package org.streampark.lineage.planner.parsed;

import java.util.Optional;
import org.apache.calcite.config.Lex;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.flink.sql.parser.impl.FlinkSqlParserImpl;
import org.apache.flink.sql.parser.validate.FlinkSqlConformance;
import org.streampark.lineage.planner.text.Position;
import org.streampark.lineage.planner.text.SqlText;
import org.streampark.lineage.planner.text.Statement;

/** Flink's parser without the validation behind it: nothing is looked up, whatever names the text holds. */
public final class SqlReader {
    private static final int MAX_REPAIRS = 40;
    private static final SqlParser.Config CONFIG = SqlParser.config()
            .withParserFactory(FlinkSqlParserImpl.FACTORY)
            .withConformance(FlinkSqlConformance.DEFAULT)
            .withLex(Lex.JAVA)
            .withIdentifierMaxLength(256);

    private SqlReader() {}

    /** Reads one statement; words that older versions did not reserve are put in back-ticks. */
    public static SqlNode read(Statement statement) throws SqlParseException {
        SqlText sql = SqlText.of(statement);
        for (int repairs = 0; ; repairs++) {
            try {
                return SqlParser.create(sql.text(), CONFIG).parseStmt();
            } catch (SqlParseException e) {
                Optional<SqlText> quoted = repairs < MAX_REPAIRS ? quoted(sql, e.getPos()) : Optional.empty();
                if (quoted.isEmpty()) {
                    throw e;
                }
                sql = quoted.get();
            }
        }
    }

    /** Reads the query of a view as Flink keeps it. */
    public static SqlNode query(String text) throws SqlParseException {
        return SqlParser.create(SqlText.of(text).text(), CONFIG).parseQuery();
    }

    private static Optional<SqlText> quoted(SqlText sql, SqlParserPos at) {
        return at == null || at.getLineNum() <= 0
                ? Optional.empty()
                : sql.quoteReservedWord(new Position(
                        at.getLineNum(), at.getColumnNum(), at.getEndLineNum(), at.getEndColumnNum()));
    }
}
