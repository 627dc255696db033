package sluice.lab.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A log of runs: one line of JSON each, only ever appended to. A torn last line, as a crash or a
/// full disk leaves it, is kept and skipped. Several labs may append to one log.
public final class RunLog {

    private static final Set<StandardOpenOption> APPENDING =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

    /// A line is a few KiB. Chosen: with less than this, the next line may be the last.
    private static final long LEAST_BYTES = 64 << 10;

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
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is no regular file");
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

    /// Creates the file where there is none, and says whether a line more can be written, without
    /// writing one.
    ///
    /// @throws IOException when not; the message says why
    public void check() throws IOException {
        try (FileChannel channel = FileChannel.open(file, APPENDING)) {
            channel.size();
        } catch (IOException fault) {
            throw new IOException(file + ": " + why(fault), fault);
        }
        long usable = Files.getFileStore(file).getUsableSpace();
        if (usable < LEAST_BYTES) {
            throw new IOException(file + ": its disk is full, " + usable + " bytes are left");
        }
    }

    /// Appends a record and waits until the disk has it. Behind a torn line it begins a new one.
    ///
    /// @throws IOException when it could not be written whole; what was written of it is cut off
    ///   again where that is possible
    public void append(RunRecord runRecord) throws IOException {
        try (FileChannel channel = FileChannel.open(file, APPENDING);
                var _ = channel.lock()) {
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
                cutOff(channel, end, full);
                throw full;
            }
        } catch (IOException fault) {
            throw new IOException(file + ": " + why(fault), fault);
        }
    }

    private static void cutOff(FileChannel channel, long end, IOException cause) {
        try {
            channel.truncate(end);
        } catch (IOException torn) {
            cause.addSuppressed(torn);
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

    private static String why(IOException fault) {
        return switch (fault) {
            case NoSuchFileException _ -> "its folder does not exist";
            case AccessDeniedException _ -> "may not be written";
            case FileSystemException other when other.getReason() != null ->
                    String.valueOf(other.getReason());
            default -> String.valueOf(fault.getMessage());
        };
    }
}
