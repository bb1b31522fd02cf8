package org.streampark.lineage.planner.parsed;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.streampark.lineage.planner.text.Statement;
import org.streampark.lineage.planner.text.Token;
import org.streampark.lineage.planner.text.Token.Kind;
import org.streampark.lineage.planner.text.Tokens;

/**
 * The statements of the Hive dialect that Flink's own parser refuses, as far as they are plain enough: CREATE TABLE
 * with Hive's clauses, also AS a query, and INSERT with the word TABLE or a PARTITION of names. Their queries must be
 * Flink SQL.
 */
public final class HiveForms {
    private static final List<String> OF_HIVE =
            List.of("EXTERNAL", "STORED", "LOCATION", "TBLPROPERTIES", "PARTITIONED", "CLUSTERED");

    private final Statement statement;
    private final List<Token> tokens;
    private int at;

    private HiveForms(Statement statement) {
        this.statement = statement;
        this.tokens = Tokens.of(statement.text());
    }

    /** Null for any other statement. */
    public static Reading read(Statement statement) throws SqlParseException {
        HiveForms forms = new HiveForms(statement);
        if (forms.take("INSERT")) {
            return forms.insert();
        }
        return forms.take("CREATE") ? forms.create() : null;
    }

    private Reading insert() throws SqlParseException {
        boolean overwrite = take("OVERWRITE");
        if (!overwrite && !take("INTO")) {
            return null;
        }
        take("TABLE");
        List<String> target = name();
        if (take("PARTITION") && is("(")) {
            skipParentheses();
        }
        if (take("IF")) {
            at += 2;
        }
        SqlNode query = query();
        return target.isEmpty() || query == null
                ? null
                : new Reading.Move(target, Map.of(), overwrite, null, List.of(query), null);
    }

    private Reading create() throws SqlParseException {
        boolean temporary = take("TEMPORARY");
        boolean ofHive = is("EXTERNAL");
        take("EXTERNAL");
        if (!take("TABLE")) {
            return null;
        }
        if (take("IF")) {
            at += 2;
        }
        List<String> name = name();
        if (name.isEmpty() || is("LIKE")) {
            return null;
        }
        Map<String, String> options = new LinkedHashMap<>();
        SqlNode query = null;
        while (at < tokens.size() && query == null) {
            ofHive |= isAny(OF_HIVE);
            if (take("LOCATION")) {
                options.put("location", string());
            } else if (take("TBLPROPERTIES")) {
                properties(options);
            } else if (take("AS")) {
                query = query();
            } else if (is("(")) {
                skipParentheses();
            } else {
                at++;
            }
        }
        Reading.Table table = new Reading.Table(name, temporary, options, null, false);
        if (!ofHive) {
            return null;
        }
        return query == null ? table : new Reading.Move(name, Map.of(), false, null, List.of(query), table);
    }

    private void properties(Map<String, String> into) {
        int end = at;
        skipParentheses();
        for (int i = end + 1; i + 2 < at; i++) {
            boolean areStrings = tokens.get(i).kind() == Kind.STRING && tokens.get(i + 2).kind() == Kind.STRING;
            if (areStrings && tokens.get(i + 1).is("=")) {
                into.put(unquoted(tokens.get(i)), unquoted(tokens.get(i + 2)));
            }
        }
    }

    /** The rest of the statement, if it begins a query. */
    private SqlNode query() throws SqlParseException {
        if (!is("SELECT") && !is("WITH") && !is("VALUES") && !is("(") && !is("TABLE")) {
            return null;
        }
        int start = tokens.get(at).start();
        at = tokens.size();
        return SqlReader.read(statement.part(start, statement.text().length()));
    }

    /** A dotted name; empty where none stands. */
    private List<String> name() {
        List<String> parts = new ArrayList<>();
        while (at < tokens.size() && tokens.get(at).isName()) {
            parts.add(tokens.get(at++).name());
            if (!take(".")) {
                break;
            }
        }
        return parts;
    }

    private String string() {
        return at < tokens.size() && tokens.get(at).kind() == Kind.STRING ? unquoted(tokens.get(at++)) : "";
    }

    private static String unquoted(Token token) {
        String text = token.text();
        String quote = text.substring(0, 1);
        boolean isClosed = text.length() > 1 && text.endsWith(quote);
        return text.substring(1, text.length() - (isClosed ? 1 : 0)).replace(quote + quote, quote);
    }

    private void skipParentheses() {
        int open = 0;
        while (at < tokens.size()) {
            open += is("(") ? 1 : is(")") ? -1 : 0;
            at++;
            if (open == 0) {
                return;
            }
        }
    }

    private boolean is(String word) {
        return at < tokens.size() && tokens.get(at).is(word);
    }

    private boolean isAny(List<String> words) {
        return words.stream().anyMatch(this::is);
    }

    private boolean take(String word) {
        boolean taken = is(word);
        at += taken ? 1 : 0;
        return taken;
    }
}
