package sluice.app.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Where lines go. Used by the writer's thread alone.
abstract sealed class Output {

    private Output() {}

    /// Appends the text; may take as long as it likes.
    abstract void write(String text) throws IOException;

    /// Lets go of what it holds, so that the next [#write] begins anew.
    void close() {}

    /// Why a write failed, in few words.
    String why(Exception fault) {
        return String.valueOf(fault.getMessage());
    }

    /// What it is, for messages.
    abstract String describe();

    /// The standard error stream of this process.
    static Output standardError() {
        return new StandardError();
    }

    /// A file, opened when it is first written to and made where there is none.
    static Output file(Path path) {
        return new File(path);
    }

    private static final class StandardError extends Output {

        private final OutputStream stream = new FileOutputStream(FileDescriptor.err);

        @Override
        void write(String text) throws IOException {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        String describe() {
            return "standard error";
        }
    }

    private static final class File extends Output {

        private final Path path;
        private @Nullable OutputStream stream;

        /// A write failed, perhaps in the middle of a line.
        private boolean isTorn;

        File(Path path) {
            this.path = path;
        }

        @Override
        void write(String text) throws IOException {
            OutputStream open = stream;
            if (open == null) {
                open =
                        Files.newOutputStream(
                                path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                stream = open;
            }
            boolean isJoined = isTorn && Files.size(path) > 0;
            isTorn = true;
            open.write((isJoined ? "\n" + text : text).getBytes(StandardCharsets.UTF_8));
            isTorn = false;
        }

        @Override
        void close() {
            if (stream != null) {
                try {
                    stream.close();
                } catch (IOException _) {
                    // What was written is written; there is nobody to tell.
                }
                stream = null;
            }
        }

        @Override
        String why(Exception fault) {
            return fault instanceof IOException io ? LogFile.why(path, io) : super.why(fault);
        }

        @Override
        String describe() {
            return path.toString();
        }
    }
}
