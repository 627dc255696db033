package sluice.app.log;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// What keeps a file from being a log.
public final class LogFile {

    private LogFile() {}

    /// Why nothing could be written to the file, as far as it shows without touching it; null where
    /// nothing speaks against it.
    public static @Nullable String refusalOrNull(Path file) {
        Path folder = folderOf(file);
        if (!Files.exists(folder)) {
            return "there is no folder " + folder;
        }
        if (!Files.isDirectory(folder)) {
            return folder + " is not a folder";
        }
        if (Files.isDirectory(file)) {
            return "it is a folder";
        }
        boolean isAllowed = Files.exists(file) ? Files.isWritable(file) : Files.isWritable(folder);
        return isAllowed ? null : "permission denied";
    }

    /// Tries it: makes the file where there is none. A pipe or a device is not opened, which could
    /// take until somebody reads.
    ///
    /// @throws IOException with the reason in few words
    public static void tryOut(Path file) throws IOException {
        String refusal = refusalOrNull(file);
        if (refusal != null) {
            throw new IOException(refusal);
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            return;
        }
        try {
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
        } catch (IOException fault) {
            throw new IOException(why(file, fault), fault);
        }
    }

    /// Why a file could not be written, in few words.
    static String why(Path file, IOException fault) {
        return switch (fault) {
            case NoSuchFileException _ -> "there is no folder " + folderOf(file);
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(fault.getMessage());
        };
    }

    private static Path folderOf(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder == null ? file : folder;
    }
}
