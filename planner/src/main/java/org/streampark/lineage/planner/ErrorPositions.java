package org.streampark.lineage.planner;

import java.util.List;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.flink.sql.parser.error.SqlValidateException;
import org.streampark.lineage.planner.text.Position;

/** The place an error carries. The deepest one wins: outer exceptions tell where the inner one was caught. */
final class ErrorPositions {
    private ErrorPositions() {}

    static Position of(List<Throwable> chain) {
        Position found = null;
        for (Throwable error : chain) {
            Position position = of(error);
            found = position == null ? found : position;
        }
        return found;
    }

    private static Position of(Throwable error) {
        if (error instanceof SqlParseException parse) {
            return of(parse.getPos());
        }
        if (error instanceof SqlValidateException validate) {
            return of(validate.getErrorPosition());
        }
        if (error instanceof CalciteContextException context && context.getPosLine() > 0) {
            return new Position(
                    context.getPosLine(), context.getPosColumn(), context.getEndPosLine(), context.getEndPosColumn());
        }
        return null;
    }

    private static Position of(SqlParserPos position) {
        return position == null || position.getLineNum() <= 0
                ? null
                : new Position(
                        position.getLineNum(),
                        position.getColumnNum(),
                        position.getEndLineNum(),
                        position.getEndColumnNum());
    }
}
