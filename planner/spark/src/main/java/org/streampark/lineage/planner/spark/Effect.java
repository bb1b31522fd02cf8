package org.streampark.lineage.planner.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.analysis.GlobalTempView$;
import org.apache.spark.sql.catalyst.analysis.UnresolvedIdentifier;
import org.apache.spark.sql.catalyst.analysis.UnresolvedNamespace;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.analysis.UnresolvedTable;
import org.apache.spark.sql.catalyst.analysis.UnresolvedView;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.AlterViewAs;
import org.apache.spark.sql.catalyst.plans.logical.CacheTableAsSelect;
import org.apache.spark.sql.catalyst.plans.logical.CreateTable;
import org.apache.spark.sql.catalyst.plans.logical.CreateTableAsSelect;
import org.apache.spark.sql.catalyst.plans.logical.CreateView;
import org.apache.spark.sql.catalyst.plans.logical.DeleteFromTable;
import org.apache.spark.sql.catalyst.plans.logical.DropTable;
import org.apache.spark.sql.catalyst.plans.logical.DropView;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoDir;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoStatement;
import org.apache.spark.sql.catalyst.plans.logical.LoadData;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MergeIntoTable;
import org.apache.spark.sql.catalyst.plans.logical.ReplaceTable;
import org.apache.spark.sql.catalyst.plans.logical.ReplaceTableAsSelect;
import org.apache.spark.sql.catalyst.plans.logical.SetCatalogAndNamespace;
import org.apache.spark.sql.catalyst.plans.logical.SetTableLocation;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.TableSpecBase;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.plans.logical.UnresolvedTableSpec;
import org.apache.spark.sql.catalyst.plans.logical.UpdateTable;
import org.apache.spark.sql.catalyst.plans.logical.V2WriteCommand;
import org.apache.spark.sql.execution.command.CreateTableLikeCommand;
import org.apache.spark.sql.execution.command.CreateViewCommand;
import org.apache.spark.sql.execution.command.ResetCommand;
import org.apache.spark.sql.execution.command.SetCatalogCommand;
import org.apache.spark.sql.execution.command.SetCommand;
import org.apache.spark.sql.execution.command.SetNamespaceCommand;
import org.apache.spark.sql.execution.datasources.CreateTempViewUsing;
import scala.Option;
import scala.Tuple2;

/**
 * What a statement does: the writes it makes; what it defines is told to the session at once. Not {@code isKnown}: it moves data
 * in a way that is not read here.
 */
record Effect(List<Write> writes, boolean isKnown) {
    /** One write with exactly what it reads. */
    record Write(TableUse sink, List<TableUse> reads) {}

    private static final Effect NONE = new Effect(List.of(), true);
    private static final Effect UNKNOWN = new Effect(List.of(), false);

    static Effect of(LogicalPlan plan, Session session, Reads reads) {
        if (plan instanceof InsertIntoStatement insert) {
            reads.plan(insert.query());
            return write(target(insert.table(), session), reads);
        }
        if (plan instanceof Union union && isMultiInsert(union)) {
            List<Write> writes = new ArrayList<>();
            for (LogicalPlan child : Scala.list(union.children())) {
                writes.addAll(of(child, session, reads.again()).writes());
            }
            return new Effect(writes, true);
        }
        if (plan instanceof V2WriteCommand overwrite) {
            reads.plan(overwrite.query());
            return write(target((LogicalPlan) overwrite.table(), session), reads);
        }
        if (plan instanceof MergeIntoTable merge) {
            reads.plan(merge.sourceTable());
            reads.expressions(merge);
            return write(target(merge.targetTable(), session), reads);
        }
        if (plan instanceof UpdateTable update) {
            reads.expressions(update);
            return write(target(update.table(), session), reads);
        }
        if (plan instanceof DeleteFromTable delete) {
            reads.expressions(delete);
            return write(target(delete.table(), session), reads);
        }
        if (plan instanceof InsertIntoDir directory) {
            return directory(directory, reads);
        }
        return define(plan, session, reads);
    }

    private static Effect define(LogicalPlan plan, Session session, Reads reads) {
        if (plan instanceof CreateTableAsSelect create) {
            return create(create.name(), create.tableSpec(), create.query(), session, reads);
        }
        if (plan instanceof ReplaceTableAsSelect replace) {
            return create(replace.name(), replace.tableSpec(), replace.query(), session, reads);
        }
        if (plan instanceof CreateTable create) {
            return table(create.name(), create.tableSpec(), session);
        }
        if (plan instanceof ReplaceTable replace) {
            return table(replace.name(), replace.tableSpec(), session);
        }
        if (plan instanceof CreateTableLikeCommand like) {
            TableUse model = session.written(parts(like.sourceTable()));
            String provider = like.provider().isDefined() ? like.provider().get() : model.facts().get("provider");
            var location = Scala.orNull(like.fileFormat().locationUri());
            session.defineTable(parts(like.targetTable()), provider, location == null ? null : location.toString(), Map.of());
        } else if (plan instanceof CreateTempViewUsing view) {
            session.defineTemporary(temporary(view.tableIdent(), view.global()), view.provider(), Scala.map(view.options()));
        } else if (plan instanceof CreateViewCommand view) {
            reads.plan(view.plan());
            boolean isGlobal = view.viewType() == GlobalTempView$.MODULE$;
            session.defineTemporaryView(temporary(view.name(), isGlobal), reads.found());
        } else if (plan instanceof CreateView view) {
            reads.plan(view.query());
            session.defineView(name(view.child()), reads.found());
        } else if (plan instanceof AlterViewAs view) {
            reads.plan(view.query());
            List<String> parts = name(view.child());
            if (session.isTemporary(parts)) {
                session.defineTemporaryView(parts, reads.found());
            } else {
                session.defineView(parts, reads.found());
            }
        } else if (plan instanceof CacheTableAsSelect cache) {
            reads.plan(cache.plan());
            session.defineTemporaryView(List.of(cache.tempViewName()), reads.found());
        } else {
            return change(plan, session);
        }
        return NONE;
    }

    private static Effect change(LogicalPlan plan, Session session) {
        if (plan instanceof SetCommand set) {
            Tuple2<String, Option<String>> pair = Scala.orNull(set.kv());
            if (pair != null && pair._2().isDefined()) {
                session.set(pair._1(), pair._2().get());
            }
        } else if (plan instanceof ResetCommand reset) {
            if (reset.config().isDefined()) {
                session.reset(reset.config().get());
            }
        } else if (plan instanceof SetCatalogAndNamespace use) {
            session.use(name(use.child()));
        } else if (plan instanceof SetCatalogCommand use) {
            session.useCatalog(use.catalogName());
        } else if (plan instanceof SetNamespaceCommand use) {
            session.useNamespace(Scala.list(use.namespace()));
        } else if (plan instanceof DropTable drop) {
            session.drop(name(drop.child()));
        } else if (plan instanceof DropView drop) {
            session.drop(name(drop.child()));
        } else if (plan instanceof SetTableLocation moved) {
            if (moved.partitionSpec().isEmpty()) {
                session.moved(name(moved.table()), moved.location());
            }
        } else if (plan instanceof LoadData) {
            return UNKNOWN;
        }
        return NONE;
    }

    private static boolean isMultiInsert(Union union) {
        return Scala.list(union.children()).stream().allMatch(InsertIntoStatement.class::isInstance);
    }

    private static Effect write(TableUse sink, Reads reads) {
        return new Effect(List.of(new Write(sink, reads.found())), true);
    }

    private static Effect create(LogicalPlan name, TableSpecBase spec, LogicalPlan query, Session session, Reads reads) {
        reads.plan(query);
        table(name, spec, session);
        return write(session.written(name(name)), reads);
    }

    private static Effect table(LogicalPlan name, TableSpecBase spec, Session session) {
        Map<String, String> options = new LinkedHashMap<>();
        if (spec instanceof UnresolvedTableSpec written) {
            for (Tuple2<String, Expression> option : Scala.list(written.optionExpression().options())) {
                if (option._2() instanceof Literal literal && literal.value() != null) {
                    options.put(option._1(), literal.value().toString());
                }
            }
        }
        session.defineTable(name(name), Scala.orNull(spec.provider()), Scala.orNull(spec.location()), options);
        return NONE;
    }

    /** A directory of the driver's own machine is nobody's dataset. */
    private static Effect directory(InsertIntoDir directory, Reads reads) {
        var location = Scala.orNull(directory.storage().locationUri());
        if (directory.isLocal() || location == null) {
            return UNKNOWN;
        }
        reads.plan(directory.child());
        String provider = Scala.orNull(directory.provider());
        List<String> path = List.of(Session.SESSION_CATALOG, "", location.toString());
        return write(TableUse.declared(path, true, provider, location.toString(), Map.of()), reads);
    }

    private static TableUse target(LogicalPlan plan, Session session) {
        return session.written(name(plan));
    }

    private static List<String> name(LogicalPlan plan) {
        if (plan instanceof SubqueryAlias alias) {
            return name(alias.child());
        }
        if (plan instanceof UnresolvedRelation relation) {
            return Scala.list(relation.multipartIdentifier());
        }
        if (plan instanceof UnresolvedIdentifier identifier) {
            return Scala.list(identifier.nameParts());
        }
        if (plan instanceof UnresolvedTable table) {
            return Scala.list(table.multipartIdentifier());
        }
        if (plan instanceof UnresolvedView view) {
            return Scala.list(view.multipartIdentifier());
        }
        if (plan instanceof UnresolvedNamespace namespace) {
            return Scala.list(namespace.multipartIdentifier());
        }
        throw new IllegalArgumentException("the target of the statement is no plain name");
    }

    private static List<String> parts(TableIdentifier identifier) {
        return Scala.list(identifier.nameParts());
    }

    private static List<String> temporary(TableIdentifier identifier, boolean isGlobal) {
        return isGlobal ? List.of("global_temp", identifier.table()) : List.of(identifier.table());
    }
}
