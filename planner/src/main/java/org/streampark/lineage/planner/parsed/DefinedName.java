package org.streampark.lineage.planner.parsed;

import java.util.ArrayList;
import java.util.List;
import org.streampark.lineage.planner.text.Token;

/** The name that a CREATE TABLE or CREATE VIEW of any dialect is about, for one that no parser understands. */
public final class DefinedName {
    /** Before TABLE or VIEW stand words such as OR REPLACE TEMPORARY. */
    private static final int MAX_WORDS_BEFORE = 6;

    private DefinedName() {}

    /** Its parts; empty for any other statement. */
    public static List<String> of(List<Token> tokens) {
        int at = 0;
        int last = Math.min(tokens.size(), MAX_WORDS_BEFORE);
        while (at < last && !tokens.get(at).is("TABLE") && !tokens.get(at).is("VIEW")) {
            at++;
        }
        if (at == 0 || at + 1 >= tokens.size() || !tokens.get(0).is("CREATE") || at == MAX_WORDS_BEFORE) {
            return List.of();
        }
        at += tokens.get(at + 1).is("IF") ? 4 : 1;
        List<String> parts = new ArrayList<>();
        while (at < tokens.size() && tokens.get(at).isName()) {
            parts.add(tokens.get(at).name());
            at += at + 1 < tokens.size() && tokens.get(at + 1).is(".") ? 2 : tokens.size();
        }
        return parts;
    }
}
