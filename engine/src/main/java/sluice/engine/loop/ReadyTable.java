package sluice.engine.loop;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Which socket belongs to whom: indexes with a generation, so that a late event for a closed
/// socket finds nobody. The token goes into the poller's user data; it is never negative. Owned by
/// the loop.
final class ReadyTable {

    private @Nullable Ready[] owners = new @Nullable Ready[64];
    private int[] generations = new int[64];
    private int[] free = new int[64];
    private int freeCount;
    private int used;

    /// Returns the token under which `owner` is found from now on.
    long add(Ready owner) {
        int index;
        if (freeCount > 0) {
            index = free[--freeCount];
        } else {
            if (used == owners.length) {
                owners = Arrays.copyOf(owners, used * 2);
                generations = Arrays.copyOf(generations, used * 2);
            }
            index = used++;
        }
        owners[index] = owner;
        return (long) generations[index] << 32 | index;
    }

    void replace(long token, Ready owner) {
        if (find(token) != null) {
            owners[(int) token] = owner;
        }
    }

    void remove(long token) {
        int index = (int) token;
        if (find(token) == null) {
            return;
        }
        owners[index] = null;
        generations[index] = (generations[index] + 1) & Integer.MAX_VALUE;
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = index;
    }

    /// Ends everything that is registered; each takes itself out.
    void endAll() {
        for (int index = 0; index < used; index++) {
            Ready owner = owners[index];
            if (owner != null) {
                owner.onLoopEnd();
            }
        }
    }

    @Nullable Ready find(long token) {
        int index = (int) token;
        return index >= 0 && index < used && generations[index] == (int) (token >>> 32)
                ? owners[index]
                : null;
    }
}
