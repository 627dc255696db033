package sluice.lab.engine;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import sluice.base.net.Endpoint;

/// What tests do with sockets.
final class Tcp {

    private Tcp() {}

    /// How a stream ended.
    enum End {
        FIN,
        RESET
    }

    /// Closes with RST.
    static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /// Reads what still comes, and says how the stream ends.
    static End end(Socket socket) throws IOException {
        try {
            InputStream in = socket.getInputStream();
            byte[] rest = new byte[65_536];
            while (in.read(rest) >= 0) {
                // Only the end matters.
            }
            return End.FIN;
        } catch (SocketTimeoutException never) {
            throw never;
        } catch (SocketException broken) {
            return End.RESET;
        }
    }

    /// Whether nobody listens there. What is taken by mistake is reset.
    static boolean isRefused(Endpoint at) {
        try (Socket early = new Socket(InetAddress.ofLiteral(at.address().toString()), at.port())) {
            reset(early);
            return false;
        } catch (IOException refused) {
            return true;
        }
    }

    /// Whether nothing comes for a while.
    static boolean isSilent(Socket socket, int millis) throws IOException {
        int before = socket.getSoTimeout();
        socket.setSoTimeout(millis);
        try {
            socket.getInputStream().read();
            return false;
        } catch (SocketTimeoutException silent) {
            return true;
        } finally {
            socket.setSoTimeout(before);
        }
    }
}
