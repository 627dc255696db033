package sluice.protocol.http;

import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import sluice.protocol.access.Users;

/// `Proxy-Authorization: Basic …`, RFC 7617.
final class BasicLogin {

    private static final byte[] SCHEME = Ascii.bytes("basic");

    private BasicLogin() {}

    /// The user whose name and password the head holds, or null where it holds none, or wrong ones.
    static @Nullable String userOrNull(Head head, Users users) {
        for (int i = 0; i < head.count(); i++) {
            if (head.name(i) == FieldName.PROXY_AUTHORIZATION) {
                return userOrNull(head.array(), head.valueStart(i), head.valueEnd(i), users);
            }
        }
        return null;
    }

    private static @Nullable String userOrNull(byte[] array, int start, int end, Users users) {
        int at = start + SCHEME.length;
        if (at >= end || !Ascii.isText(array, start, at, SCHEME) || array[at] != ' ') {
            return null;
        }
        while (at < end && array[at] == ' ') {
            at++;
        }
        byte[] plain;
        try {
            plain = Base64.getDecoder().decode(Arrays.copyOfRange(array, at, end));
        } catch (IllegalArgumentException _) {
            return null;
        }
        // A name has no colon, a password may.
        for (int colon = 0; colon < plain.length; colon++) {
            if (plain[colon] == ':') {
                int password = colon + 1;
                return users.nameOrNull(plain, 0, colon, password, plain.length - password);
            }
        }
        return null;
    }
}
