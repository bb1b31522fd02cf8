package org.streampark.lineage.planner.text;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Words that became reserved between Flink 1.15 and 2.3: scripts of older versions use them as plain names. When the
 * parser stumbles over one, it is put in back-ticks and the statement is parsed again.
 */
public final class ReservedWords {
    private static final Set<String> WORDS = Set.copyOf(List.of(
            ("ARRAY_AGG ARRAY_CONCAT_AGG DOT GROUP_CONCAT ILIKE INCLUDE MODIFY RLIKE SEPARATOR STRING_AGG UNPIVOT "
                            + "BUCKETS CONTINUOUS DISTRIBUTED DISTRIBUTION FRESHNESS HASH MATERIALIZED MODEL MODELS "
                            + "PROCEDURES REFRESH REFRESH_MODE RESUME SUSPEND "
                            + "DATETIME DATE_TRUNC MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY QUALIFY "
                            + "QUARTERS WEEKS TIMESTAMP_DIFF TIMESTAMP_TRUNC TIME_DIFF TIME_TRUNC "
                            + "BITMAP CONNECTIONS CONTAINS_SUBSTR DATETIME_TRUNC JSON_SCOPE ORDINAL SAFE_CAST "
                            + "SAFE_OFFSET SAFE_ORDINAL STRUCTURED TRY_CAST VARIANT")
                    .split(" ")));

    private ReservedWords() {}

    static boolean contains(Token token) {
        return token.kind() == Token.Kind.WORD && WORDS.contains(token.text().toUpperCase(Locale.ROOT));
    }
}
