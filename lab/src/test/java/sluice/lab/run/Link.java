package sluice.lab.run;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// One TCP connection of a test, with the few verbs that tests need. Reads wait 10 s at most.
public final class Link implements AutoCloseable {

    /// How the peer's side ended.
    public enum End {
        /// In order.
        FIN,
        /// Reset.
        RST,
        /// Not yet, within the time that was waited.
        OPEN
    }

    private static final int LIMIT_MILLIS = 10_000;

    private final Socket socket;

    private Link(Socket socket) {
        this.socket = socket;
        try {
            socket.setSoTimeout(LIMIT_MILLIS);
            socket.setTcpNoDelay(true);
        } catch (SocketException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Connects to a port of loopback.
    public static Link to(int port) {
        return to("127.0.0.1", port);
    }

    /// Connects.
    public static Link to(String host, int port) {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), LIMIT_MILLIS);
            return new Link(socket);
        } catch (IOException failure) {
            close(socket);
            throw new UncheckedIOException(failure);
        }
    }

    /// The socket itself.
    public Socket socket() {
        return socket;
    }

    /// Sends bytes.
    public Link send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return this;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Sends text.
    public Link send(String text) {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    /// Sends bytes given in hex; blanks do not count.
    public Link sendHex(String hex) {
        return send(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    /// Reads exactly so many bytes.
    public byte[] read(int bytes) {
        try {
            byte[] read = socket.getInputStream().readNBytes(bytes);
            if (read.length < bytes) {
                throw new EOFException("ended after " + read.length + " of " + bytes + " bytes");
            }
            return read;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Reads exactly so many bytes and writes them as hex.
    public String readHex(int bytes) {
        return HexFormat.of().formatHex(read(bytes));
    }

    /// Reads up to and with the first empty line, as text.
    public String readHead() {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            head.writeBytes(read(1));
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    /// Reads to the end, in order.
    public byte[] readAll() {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Reads to the end, whatever kind it is, or until nothing came for so long.
    public Ending readEnding(int limitMillis) {
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        long start = System.nanoTime();
        End end = End.FIN;
        try {
            socket.setSoTimeout(limitMillis);
            InputStream in = socket.getInputStream();
            byte[] bytes = new byte[16_384];
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                got.write(bytes, 0, n);
            }
        } catch (SocketTimeoutException silent) {
            end = End.OPEN;
        } catch (IOException reset) {
            end = End.RST;
        }
        return new Ending(got.toByteArray(), end, (System.nanoTime() - start) / 1_000_000);
    }

    /// How a connection ended.
    ///
    /// @param bytes what came before
    /// @param end how
    /// @param millis how long it took
    public record Ending(byte[] bytes, End end, long millis) {

        /// What came before, as text.
        public String text() {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    /// Ends our side; the peer may go on.
    public Link finish() {
        try {
            socket.shutdownOutput();
            return this;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Ends with a reset.
    public void reset() {
        try {
            socket.setSoLinger(true, 0);
        } catch (SocketException closed) {
            // The peer was faster.
        }
        close(socket);
    }

    @Override
    public void close() {
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
