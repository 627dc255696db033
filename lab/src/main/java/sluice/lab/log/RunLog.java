package sluice.lab.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// A log of runs: one line of JSON each, only ever appended to. A torn last line, as a crash or a
/// full disk leaves it, is kept and skipped.
public final class RunLog {

    private final Path file;

    /// @param file where it is or will be
    public RunLog(Path file) {
        this.file = file;
    }

    /// What a log holds.
    ///
    /// @param records those that could be read, in order
    /// @param complaints `file:line: why` of the others
    public record Content(List<RunRecord> records, List<String> complaints) {}

    /// Where it is.
    public Path file() {
        return file;
    }

    /// Reads all of it; a file that does not exist is empty.
    public Content read() throws IOException {
        List<RunRecord> records = new ArrayList<>();
        List<String> complaints = new ArrayList<>();
        if (!Files.exists(file)) {
            return new Content(records, complaints);
        }
        int number = 0;
        for (String line :
                new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n", -1)) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            try {
                records.add(RunRecord.ofLine(line));
            } catch (IllegalArgumentException unreadable) {
                complaints.add(file + ":" + number + ": " + unreadable.getMessage());
            }
        }
        return new Content(records, complaints);
    }

    /// Appends a record and waits until the disk has it. Behind a torn line it begins a new one.
    ///
    /// @throws IOException when it could not be written whole; what was written of it is cut off
    ///   again where that is possible
    public void append(RunRecord runRecord) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            long end = channel.size();
            String line = (isTorn(channel, end) ? "\n" : "") + runRecord.toLine() + "\n";
            ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
            try {
                channel.position(end);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            } catch (IOException full) {
                channel.truncate(end);
                throw new IOException(file + ": " + full.getMessage(), full);
            }
        }
    }

    private static boolean isTorn(FileChannel channel, long end) throws IOException {
        if (end == 0) {
            return false;
        }
        ByteBuffer last = ByteBuffer.allocate(1);
        channel.read(last, end - 1);
        return last.get(0) != '\n';
    }
}
