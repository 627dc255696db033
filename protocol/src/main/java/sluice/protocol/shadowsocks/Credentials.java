package sluice.protocol.shadowsocks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds a key by its identity, which is a hash and so needs none of our own; the cost does not
/// depend on how many there are. Immutable.
final class Credentials {

    private final @Nullable Credential[] slots;
    private final List<Credential> all;
    private final Map<@Nullable String, Credential> byName = new HashMap<>();

    /// @param all with different identities
    Credentials(List<Credential> all) {
        this.all = List.copyOf(all);
        slots = new @Nullable Credential[Integer.highestOneBit(Math.max(1, all.size())) * 4];
        for (Credential each : all) {
            int index = (int) each.identityLow() & slots.length - 1;
            while (slots[index] != null) {
                index = index + 1 & slots.length - 1;
            }
            slots[index] = each;
            byName.put(each.name(), each);
        }
    }

    /// The key with this identity, or null.
    @Nullable Credential findOrNull(long identityHigh, long identityLow) {
        int index = (int) identityLow & slots.length - 1;
        while (true) {
            Credential each = slots[index];
            if (each == null
                    || each.identityLow() == identityLow && each.identityHigh() == identityHigh) {
                return each;
            }
            index = index + 1 & slots.length - 1;
        }
    }

    /// The one of that name, or null.
    @Nullable Credential namedOrNull(@Nullable String name) {
        return byName.get(name);
    }

    /// All of them, in the order of the configuration.
    List<Credential> all() {
        return all;
    }

    /// The most slots that any look-up visits; for tests of the claim above.
    int probesMax() {
        int longest = 0;
        for (int start = 0; start < slots.length; start++) {
            int length = 1;
            while (slots[start + length - 1 & slots.length - 1] != null) {
                length++;
            }
            longest = Math.max(longest, length);
        }
        return longest;
    }
}
