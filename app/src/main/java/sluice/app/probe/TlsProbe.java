package sluice.app.probe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLParameters;

/// TLS on a [ProbeStream], as a browser would speak it: the JDK's, with its trusted roots.
final class TlsProbe {

    private final ProbeStream stream;
    private final SSLEngine engine;
    private final byte[] piece = new byte[16_384];
    private ByteBuffer incoming;
    private ByteBuffer plain;

    private TlsProbe(ProbeStream stream, SSLEngine engine) {
        this.stream = stream;
        this.engine = engine;
        // Empty buffers in reading state.
        incoming = ByteBuffer.allocate(0);
        plain = ByteBuffer.allocate(0);
    }

    /// Shakes hands.
    ///
    /// @param host the name to ask for and to verify
    static TlsProbe start(ProbeStream stream, String host, int port) throws IOException {
        SSLEngine engine;
        try {
            engine = SSLContext.getDefault().createSSLEngine(host, port);
        } catch (GeneralSecurityException fault) {
            throw new IOException("this Java machine has no TLS", fault);
        }
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        engine.setSSLParameters(parameters);
        TlsProbe probe = new TlsProbe(stream, engine);
        engine.beginHandshake();
        probe.shakeHands();
        return probe;
    }

    /// Version and cipher, for people.
    String describe() {
        return engine.getSession().getProtocol() + ", " + engine.getSession().getCipherSuite();
    }

    void send(byte[] bytes) throws IOException {
        ByteBuffer source = ByteBuffer.wrap(bytes);
        while (source.hasRemaining()) {
            wrap(source);
        }
    }

    /// Receives what comes next. Returns the bytes, -1 at the end.
    int receive(byte[] into) throws IOException {
        while (!plain.hasRemaining()) {
            if (engine.isInboundDone()) {
                return -1;
            }
            SSLEngineResult result = unwrap();
            runTasks();
            if (result.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP) {
                wrap(ByteBuffer.allocate(0));
            }
            if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW && !fill()) {
                return -1;
            }
        }
        int count = Math.min(into.length, plain.remaining());
        plain.get(into, 0, count);
        return count;
    }

    private void shakeHands() throws IOException {
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_WRAP -> wrap(ByteBuffer.allocate(0));
                case NEED_TASK -> runTasks();
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (unwrap().getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW
                            && !fill()) {
                        throw new IOException(
                                "the server closed the connection in its TLS handshake");
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return;
                }
            }
        }
    }

    private void runTasks() {
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
            task.run();
            task = engine.getDelegatedTask();
        }
    }

    private void wrap(ByteBuffer source) throws IOException {
        ByteBuffer packet = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(source, packet);
        packet.flip();
        if (packet.hasRemaining()) {
            stream.send(Arrays.copyOf(packet.array(), packet.limit()));
        }
    }

    private SSLEngineResult unwrap() throws IOException {
        ByteBuffer target = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        SSLEngineResult result = engine.unwrap(incoming, target);
        if (target.position() > 0) {
            plain = target.flip();
        }
        return result;
    }

    /// Takes more from the stream; false at its end.
    private boolean fill() throws IOException {
        int received = stream.receive(piece);
        if (received < 0) {
            return false;
        }
        ByteBuffer joined = ByteBuffer.allocate(incoming.remaining() + received);
        joined.put(incoming).put(piece, 0, received);
        incoming = joined.flip();
        return true;
    }
}
