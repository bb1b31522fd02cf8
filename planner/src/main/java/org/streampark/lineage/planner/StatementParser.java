package org.streampark.lineage.planner;

import java.util.List;
import java.util.Optional;
import org.apache.flink.table.operations.Operation;
import org.streampark.lineage.planner.text.Position;
import org.streampark.lineage.planner.text.SqlText;
import org.streampark.lineage.planner.text.Statement;
import org.streampark.lineage.planner.text.Token;

/**
 * Parses and validates one statement. What fails because it is planned elsewhere than it runs is mended and tried
 * again: words that were not reserved in older versions, and functions whose code is not here. Flink throws checked
 * exceptions and errors past the compiler, so here and elsewhere everything is caught.
 */
final class StatementParser {
    private static final int MAX_TRIES = 40;

    private final Session session;

    StatementParser(Session session) {
        this.session = session;
    }

    Operation parse(Statement statement, List<Token> tokens) throws StatementFailure {
        session.functions().prepare(tokens);
        FunctionRepair repair = new FunctionRepair(session.functions());
        SqlText sql = SqlText.of(statement);
        StatementFailure told = null;
        boolean guessed = false;
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            Throwable error;
            try {
                List<Operation> operations = session.environment().getParser().parse(sql.text());
                return operations.get(0);
            } catch (Throwable e) {
                error = e;
            }
            Failure failure = Failure.of(error);
            Position at = failure.position();
            if (told == null || !guessed) {
                told = new StatementFailure(
                        at == null
                                ? failure
                                : failure.nameMissing(sql.isModel(at) ? "Model" : "Table", sql.at(at))
                                        .at(sql.original(at)));
            }
            Optional<SqlText> quoted = failure.isSyntax() && at != null ? sql.quoteReservedWord(at) : Optional.empty();
            FunctionRepair.Change change = quoted.isPresent()
                    ? FunctionRepair.Change.NOTHING
                    : repair.repair(failure.fullMessage(), at, sql.text());
            if (quoted.isEmpty() && change == FunctionRepair.Change.NOTHING) {
                break;
            }
            guessed = change == FunctionRepair.Change.GUESSED;
            if (guessed) {
                session.views().redefine(session.environment());
            }
            sql = quoted.orElse(sql);
        }
        throw told;
    }
}
