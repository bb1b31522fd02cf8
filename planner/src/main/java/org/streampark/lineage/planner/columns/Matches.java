package org.streampark.lineage.planner.columns;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.core.Match;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;

/** MATCH_RECOGNIZE with one row per match: the partition keys, then the measures. */
final class Matches {
    private final QueryWalk query;

    Matches(QueryWalk query) {
        this.query = query;
    }

    List<Origins> columns(Match match) {
        List<Origins> input = query.columns(match.getInput());
        List<RelFieldCollation> order = match.getOrderKeys().getFieldCollations();
        Origins time = order.isEmpty() ? query.none() : input.get(order.get(0).getFieldIndex());
        Expressions expressions = Expressions.ofMatch(query, input, time);
        match.getPatternDefinitions().values().forEach(define -> query.influence(expressions.of(define), Use.FILTER));
        match.getPartitionKeys().forEach(key -> query.influence(input.get(key), Use.WINDOW));
        order.forEach(key -> query.influence(input.get(key.getFieldIndex()), Use.SORT));
        List<Origins> columns = new ArrayList<>();
        for (RelDataTypeField field : match.getRowType().getFieldList()) {
            RexNode measure = match.getMeasures().get(field.getName());
            columns.add(measure == null ? input.get(partitionKey(match, field)) : expressions.of(measure));
        }
        return columns;
    }

    private static int partitionKey(Match match, RelDataTypeField field) {
        RelDataTypeField key = match.getInput().getRowType().getField(field.getName(), true, false);
        if (key == null || !match.getPartitionKeys().get(key.getIndex())) {
            throw new UnreadableTree("a column of MATCH_RECOGNIZE is neither measure nor partition key");
        }
        return key.getIndex();
    }
}
