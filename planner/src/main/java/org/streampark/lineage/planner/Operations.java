package org.streampark.lineage.planner;

import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.table.operations.CompileAndExecutePlanOperation;
import org.apache.flink.table.operations.CreateTableASOperation;
import org.apache.flink.table.operations.ModifyOperation;
import org.apache.flink.table.operations.Operation;
import org.apache.flink.table.operations.ReplaceTableAsOperation;
import org.apache.flink.table.operations.SinkModifyOperation;
import org.apache.flink.table.operations.StatementSetOperation;
import org.apache.flink.table.operations.command.SetOperation;
import org.apache.flink.table.operations.ddl.CompilePlanOperation;
import org.apache.flink.table.operations.ddl.CreateCatalogFunctionOperation;
import org.apache.flink.table.operations.ddl.CreateTempSystemFunctionOperation;
import org.streampark.lineage.planner.versions.Tables;

/**
 * Decides what becomes of a parsed statement. Only DDL on the stub catalogs is executed; whatever would reach for a
 * file, a jar, a class or a cluster is taken note of and left. Operations are told apart by their simple names, which
 * do not change between Flink versions where packages and class sets do.
 */
final class Operations {
    private final Session session;
    private final Definitions definitions;
    private final Consumer<SinkModifyOperation> inserts;

    Operations(Session session, Consumer<SinkModifyOperation> inserts) {
        this.session = session;
        this.definitions = new Definitions(session);
        this.inserts = inserts;
    }

    /** Flink's name for the kind of statement, such as {@code CreateTable}. */
    static String name(Operation operation) {
        String name = operation.getClass().getSimpleName();
        return name.endsWith("Operation") ? name.substring(0, name.length() - "Operation".length()) : name;
    }

    /** Carries the statement out as far as planning needs it; false where it has no influence on lineage. */
    boolean take(Operation operation) throws StatementFailure {
        switch (name(operation)) {
            case "SinkModify" -> inserts.accept((SinkModifyOperation) operation);
            case "StatementSet" -> takeAll(((StatementSetOperation) operation).getOperations());
            case "CreateTableAS" -> createTableAs((CreateTableASOperation) operation);
            case "ReplaceTableAs" -> replaceTableAs((ReplaceTableAsOperation) operation);
            case "CreateMaterializedTable" -> materialize(operation);
            case "CompilePlan" -> take(((CompilePlanOperation) operation).getOperation());
            case "CompileAndExecutePlan" -> take(((CompileAndExecutePlanOperation) operation).getOperation());
            case "CreateCatalogFunction" ->
                session.functions().create(((CreateCatalogFunctionOperation) operation).getFunctionIdentifier());
            case "CreateTempSystemFunction" ->
                session.functions().createSystem(((CreateTempSystemFunctionOperation) operation).getFunctionName());
            case "Set" -> {
                SetOperation set = (SetOperation) operation;
                return set(set.getKey().orElse(""), set.getValue().orElse(""));
            }
            default -> {
                return definitions.take(operation);
            }
        }
        return true;
    }

    boolean set(String key, String value) {
        return PlannerSettings.apply(session.configuration(), key, value);
    }

    private void takeAll(List<ModifyOperation> operations) throws StatementFailure {
        for (ModifyOperation operation : operations) {
            take(operation);
        }
    }

    private void createTableAs(CreateTableASOperation operation) {
        definitions.createTable(operation.getCreateTableOperation());
        inserts.accept(operation.toSinkModifyOperation(session.environment().getCatalogManager()));
    }

    private void replaceTableAs(ReplaceTableAsOperation operation) {
        Tables.drop(
                session.environment().getCatalogManager(),
                operation.getCreateTableOperation().getTableIdentifier());
        definitions.createTable(operation.getCreateTableOperation());
        inserts.accept(operation.toSinkModifyOperation(session.environment().getCatalogManager()));
    }

    /** The table becomes an ordinary one, and its query an INSERT into it. */
    private void materialize(Operation create) throws StatementFailure {
        definitions.createTable(Tables.ofMaterialized(create));
        String insert = "INSERT INTO " + Tables.materialized(create).asSerializableString() + ' ' + Tables.queryOf(create);
        for (Operation parsed : session.environment().getParser().parse(insert)) {
            take(parsed);
        }
    }
}
