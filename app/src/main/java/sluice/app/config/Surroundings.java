package sluice.app.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Shown;

/// What a configuration may draw on besides its own files.
///
/// @param environment a variable's value, or null
/// @param workDirectory where relative paths begin
/// @param standardInput its whole contents; read once and kept, so that a reload sees them again
record Surroundings(
        Function<String, @Nullable String> environment,
        Path workDirectory,
        Supplier<byte[]> standardInput) {

    /// Chosen: a key or password has less.
    private static final int MOST_REFERENCE_BYTES = 1 << 20;

    /// Those of this process.
    static Surroundings of(LoadRequest request) {
        return new Surroundings(System::getenv, request.workDirectory(), StandardInput::bytes);
    }

    /// The contents of a file that a configuration refers to, without the line end behind the last
    /// line.
    ///
    /// @throws IllegalArgumentException with the reason, when it cannot be read
    String readReference(String name) {
        Path path = path(name);
        byte[] bytes;
        try {
            // A pipe would be waited for, and a device may never end.
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                throw new IllegalArgumentException(
                        "cannot read the file " + Shown.plain(name) + ": it is not a regular file");
            }
            bytes = readAtMost(path, MOST_REFERENCE_BYTES + 1);
        } catch (IOException fault) {
            throw new IllegalArgumentException(
                    "cannot read the file " + Shown.plain(name) + ": " + why(fault), fault);
        }
        if (bytes.length > MOST_REFERENCE_BYTES) {
            throw new IllegalArgumentException(
                    "the file " + Shown.plain(name) + " is larger than 1 MiB");
        }
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            int end = text.length();
            while (end > 0 && (text.charAt(end - 1) == '\n' || text.charAt(end - 1) == '\r')) {
                end--;
            }
            return text.substring(0, end);
        } catch (CharacterCodingException fault) {
            throw new IllegalArgumentException(
                    "the file " + Shown.plain(name) + " is not text in UTF-8", fault);
        }
    }

    /// The first `most` bytes of a file, or all where it has fewer. What the file says of its size
    /// is not trusted.
    static byte[] readAtMost(Path path, int most) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return in.readNBytes(most);
        }
    }

    /// The path of a name as the operator wrote it.
    ///
    /// @throws IllegalArgumentException when it is none
    Path path(String name) {
        try {
            return workDirectory.resolve(name);
        } catch (InvalidPathException fault) {
            throw new IllegalArgumentException(Shown.quoted(name) + " is not a path", fault);
        }
    }

    /// Whether there is a program: an absolute path, or a name in one of the folders of PATH.
    boolean hasProgram(String name) {
        if (name.startsWith("/")) {
            return isProgram(Path.of("/"), name);
        }
        String path = environment.apply("PATH");
        for (String folder : (path == null ? "" : path).split(":", -1)) {
            if (folder.startsWith("/") && isProgram(Path.of(folder), name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isProgram(Path folder, String name) {
        try {
            Path path = folder.resolve(name);
            return Files.isRegularFile(path) && Files.isExecutable(path);
        } catch (InvalidPathException _) {
            return false;
        }
    }

    /// Why a file cannot be read, in few words.
    static String why(IOException fault) {
        if (fault instanceof NoSuchFileException) {
            return "there is none";
        }
        if (fault instanceof AccessDeniedException) {
            return "permission denied";
        }
        String message = fault.getMessage();
        return message == null ? fault.getClass().getSimpleName() : Shown.plain(message);
    }

    /// Standard input, kept.
    private static final class StandardInput {

        private static byte @Nullable [] bytes;

        static synchronized byte[] bytes() {
            if (bytes == null) {
                try {
                    bytes = System.in.readNBytes(SourceText.MOST_BYTES + 1);
                } catch (IOException fault) {
                    throw new UncheckedIOException(fault);
                }
            }
            return bytes;
        }
    }
}
