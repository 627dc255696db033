package sluice.lab.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// HTTP messages as text, as far as tests need them.
public final class HttpText {
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");

    private HttpText() {}

    /// Reads up to and with the empty line; null at the end of the stream.
    public static @Nullable String readHead(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int last = 0;
        for (int b = in.read(); b >= 0; b = in.read()) {
            head.write(b);
            last = last << 8 | b;
            if (last == 0x0d0a0d0a) {
                return head.toString(StandardCharsets.ISO_8859_1);
            }
        }
        return null;
    }

    /// The length that a head announces, or 0.
    public static int contentLength(String head) {
        Matcher length = LENGTH.matcher(head);
        return length.find() ? Integer.parseInt(length.group(1)) : 0;
    }

    /// Reads a chunked body to its end.
    ///
    /// @return the bytes of all chunks
    public static long skipChunks(InputStream in) throws IOException {
        long total = 0;
        while (true) {
            StringBuilder line = new StringBuilder();
            for (int b = in.read(); b != '\n'; b = in.read()) {
                if (b < 0) {
                    throw new IOException("the chunks ended in the middle");
                }
                line.append((char) b);
            }
            int bytes = Integer.parseInt(line.toString().split(";")[0].strip(), 16);
            if (bytes == 0) {
                return total;
            }
            in.skipNBytes(bytes + 2L);
            total += bytes;
        }
    }

    /// A whole answer.
    ///
    /// @param fields header lines with their line ends
    public static byte[] answer(int status, String fields, String body) {
        return ("HTTP/1.1 "
                        + status
                        + " Said\r\n"
                        + fields
                        + "Content-Length: "
                        + body.length()
                        + "\r\n\r\n"
                        + body)
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
