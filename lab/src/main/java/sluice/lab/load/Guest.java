package sluice.lab.load;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/// One connection of a [Door]. Only the door's thread calls it.
interface Guest {

    /// The connection can be read or written, as its key asked for.
    ///
    /// @return whether it goes on; false closes it
    /// @throws IOException when the other side broke it; closes it too
    boolean turn(SelectionKey key, SocketChannel channel) throws IOException;

    /// The other side broke it.
    void lost(String reason);
}
