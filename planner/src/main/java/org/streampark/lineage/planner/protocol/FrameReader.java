package org.streampark.lineage.planner.protocol;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Cuts the input into frames at byte 0x0A and nowhere else: U+2028, U+0085 or a lone CR inside a JSON string are text.
 * A frame over the limit is read to its end and reported, so that the next frame is understood again.
 */
public final class FrameReader {
    private final InputStream in;
    private final int limit;
    private final byte[] buffer = new byte[64 * 1024];
    private int next;
    private int filled;

    public FrameReader(InputStream in, int limit) {
        this.in = in;
        this.limit = limit;
    }

    /** The next frame without its newline, or null at the end of the input; a last frame without newline counts. */
    public String read() throws IOException, BadFrame {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        long length = 0;
        while (true) {
            if (next == filled && !fill()) {
                return length == 0 ? null : decode(frame, length);
            }
            int end = next;
            while (end < filled && buffer[end] != '\n') {
                end++;
            }
            length += end - next;
            if (length <= limit) {
                frame.write(buffer, next, end - next);
            } else {
                frame.reset();
            }
            boolean complete = end < filled;
            next = complete ? end + 1 : end;
            if (complete) {
                return decode(frame, length);
            }
        }
    }

    private boolean fill() throws IOException {
        int count = in.read(buffer);
        next = 0;
        filled = Math.max(count, 0);
        return count > 0;
    }

    private String decode(ByteArrayOutputStream frame, long length) throws BadFrame {
        if (length > limit) {
            throw new BadFrame("FrameTooLarge", "a request of " + length + " bytes is over the limit of " + limit);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(frame.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BadFrame("BadRequest", "the request is not UTF-8");
        }
    }
}
