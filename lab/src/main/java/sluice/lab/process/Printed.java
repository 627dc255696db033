package sluice.lab.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What a process prints: the beginning of its output and the end of everything, both bounded.
/// Reading goes on behind the bounds, so that no process ever waits for it.
final class Printed {

    /// Chosen far above what iperf3 says of 64 streams (half a MiB).
    static final int OUTPUT_BYTES = 8 << 20;

    private static final int WORDS = 300;
    private static final int TAIL_BYTES = 4 * WORDS;

    private byte[] output = new byte[1 << 12];
    private int outputBytes;
    private final byte[] tail = new byte[TAIL_BYTES];
    private long tailBytes;

    /// Reads a stream until it ends, in a thread of its own.
    Thread follow(InputStream stream, boolean isOutput) {
        return Thread.ofPlatform()
                .daemon()
                .name("output")
                .start(() -> {
                    byte[] bytes = new byte[1 << 13];
                    try (stream) {
                        for (int n = stream.read(bytes); n >= 0; n = stream.read(bytes)) {
                            keep(bytes, n, isOutput);
                        }
                    } catch (IOException closed) {
                        // It was ended.
                    }
                });
    }

    private synchronized void keep(byte[] bytes, int count, boolean isOutput) {
        for (int i = Math.max(0, count - TAIL_BYTES); i < count; i++) {
            tail[(int) (tailBytes++ % TAIL_BYTES)] = bytes[i];
        }
        if (!isOutput) {
            return;
        }
        int kept = Math.min(count, OUTPUT_BYTES - outputBytes);
        if (outputBytes + kept > output.length) {
            output = Arrays.copyOf(output, Math.min(OUTPUT_BYTES, 2 * (outputBytes + kept)));
        }
        System.arraycopy(bytes, 0, output, outputBytes, kept);
        outputBytes += kept;
    }

    synchronized String output() {
        return new String(output, 0, outputBytes, StandardCharsets.UTF_8);
    }

    /// The last words on one line, without colours.
    synchronized String lastWords() {
        int count = (int) Math.min(tailBytes, TAIL_BYTES);
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = tail[(int) ((tailBytes - count + i) % TAIL_BYTES)];
        }
        return endOf(new String(bytes, StandardCharsets.UTF_8));
    }

    static String endOf(@Nullable String text) {
        String line =
                (text == null ? "" : text)
                        .replaceAll("\u001b\\[[0-9;]*[A-Za-z]", "")
                        .replaceAll("[\\s\\p{Cntrl}]+", " ")
                        .trim();
        return line.length() <= WORDS ? line : "…" + line.substring(line.length() - WORDS + 1);
    }
}
