package org.streampark.lineage.planner.text;

import java.util.List;
import java.util.Optional;

/** Statements that must not reach the parser. */
public final class Limits {
    /** The parser's buffer grows in steps and is copied each time: one long token costs quadratic time. */
    private static final int MAX_TOKEN = 64 * 1024;

    private Limits() {}

    /** Why the statement is refused: the kind, then the sentence. {@code parses}: only resolving its types does harm. */
    public record Refusal(String kind, String message, int offset, boolean parses) {}

    public static Optional<Refusal> refusal(List<Token> tokens) {
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.text().length() > MAX_TOKEN) {
                return Optional.of(new Refusal(
                        "TokenTooLarge",
                        "a token of " + token.text().length() + " characters is over the limit of " + MAX_TOKEN,
                        token.start(),
                        false));
            }
            if (isRawType(tokens, i)) {
                return Optional.of(new Refusal(
                        "RawTypeRefused",
                        "a RAW type names Java classes, which are never loaded here",
                        token.start(),
                        true));
            }
        }
        return Optional.empty();
    }

    /** RAW('class', 'serializer'): resolving it would load the class and run its serializer. */
    private static boolean isRawType(List<Token> tokens, int at) {
        return at + 3 < tokens.size()
                && tokens.get(at).is("RAW")
                && tokens.get(at + 1).is("(")
                && tokens.get(at + 2).kind() == Token.Kind.STRING
                && tokens.get(at + 3).is(",");
    }
}
