package sluice.protocol.http;

import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Fields;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.protocol.access.Access;

/// What an operator may say of the accepting side of HTTP.
///
/// @param access who may come in
/// @param realm what clients are told to whom the password belongs
/// @param headBytesMax longest request line and fields together
/// @param silentOnGarbage whether something that is no HTTP gets no answer
public record HttpServerOptions(
        Access access, String realm, int headBytesMax, boolean silentOnGarbage) {

    /// What every client may rely on: single sign-on fills heads with cookies.
    private static final int HEAD_BYTES_LEAST = 16 * 1024;

    /// A head must fit one read, and leave room for the rest of that read.
    private static final int HEAD_BYTES_MOST = 128 * 1024;

    private static final Key<String> REALM =
            Key.of("realm", Kind.TEXT)
                    .otherwise("proxy")
                    .says("What browsers show when they ask for the password.");

    private static final Key<Long> MAX_HEADER_SIZE =
            Key.of("max_header_size", Kind.SIZE_BYTES)
                    .otherwise(64L * 1024)
                    .says(
                            "Longest request line and headers together; beyond it the answer is 431.");

    private static final Key<Boolean> SILENT_ON_GARBAGE =
            Key.of("silent_on_garbage", Kind.FLAG)
                    .otherwise(false)
                    .says("Close without an answer what does not begin like an HTTP request.");

    /// The keys beyond those of [Access].
    public static List<Key<?>> keys() {
        return List.of(REALM, MAX_HEADER_SIZE, SILENT_ON_GARBAGE);
    }

    /// Reads [#keys]; null after an error was reported.
    public static @Nullable HttpServerOptions from(Access access, Fields fields) {
        String realm = fields.get(REALM);
        long headBytes = fields.get(MAX_HEADER_SIZE);
        boolean isFine = true;
        if (!isQuotable(realm)) {
            fields.refuse(REALM, "takes visible ASCII without quotes and backslashes", null);
            isFine = false;
        }
        if (headBytes < HEAD_BYTES_LEAST || headBytes > HEAD_BYTES_MOST) {
            fields.refuse(MAX_HEADER_SIZE, "is not between 16 KiB and 128 KiB", "write \"64 KiB\"");
            isFine = false;
        }
        return isFine
                ? new HttpServerOptions(
                        access, realm, (int) headBytes, fields.get(SILENT_ON_GARBAGE))
                : null;
    }

    private static boolean isQuotable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                return false;
            }
        }
        return text.length() <= 200;
    }
}
