package sluice.app.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Files that commands write.
final class Files {

    private Files() {}

    /// Puts `bytes` in the place of a file, whole or not at all; permissions stay as they were.
    static void replace(Path path, byte[] bytes) throws IOException {
        Path target = java.nio.file.Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
        Path folder = target.getParent();
        if (folder != null && !java.nio.file.Files.isDirectory(folder)) {
            throw new NotDirectoryException(folder.toString());
        }
        if (java.nio.file.Files.isDirectory(target)) {
            throw new IOException(target + " is a folder");
        }
        if (java.nio.file.Files.exists(target) && !java.nio.file.Files.isRegularFile(target)) {
            // A device or a pipe would be gone, for everybody.
            throw new IOException(target + " is not a regular file");
        }
        Path next = target.resolveSibling("." + target.getFileName() + ".next");
        try {
            replace(target, next, bytes);
        } catch (AccessDeniedException fault) {
            AccessDeniedException denied = new AccessDeniedException(target.toString());
            denied.initCause(fault);
            throw denied;
        }
    }

    private static void replace(Path target, Path next, byte[] bytes) throws IOException {
        Set<PosixFilePermission> permissions = permissionsOrNull(target);
        java.nio.file.Files.deleteIfExists(next);
        if (permissions != null) {
            // Never more readable than the file that it replaces, which may hold passwords.
            java.nio.file.Files.createFile(next, PosixFilePermissions.asFileAttribute(permissions));
        }
        try {
            java.nio.file.Files.write(next, bytes);
            java.nio.file.Files.move(
                    next,
                    target,
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.ATOMIC_MOVE);
        } finally {
            java.nio.file.Files.deleteIfExists(next);
        }
    }

    /// Why a file could not be read or written, in few words.
    static String why(IOException fault) {
        return switch (fault) {
            case NoSuchFileException none -> "there is no " + none.getFile();
            case NotDirectoryException none -> "there is no folder " + none.getFile();
            case AccessDeniedException denied -> denied.getFile() + ": permission denied";
            default -> String.valueOf(fault.getMessage());
        };
    }

    private static @Nullable Set<PosixFilePermission> permissionsOrNull(Path path)
            throws IOException {
        try {
            return java.nio.file.Files.exists(path)
                    ? java.nio.file.Files.getPosixFilePermissions(path)
                    : null;
        } catch (UnsupportedOperationException _) {
            return null;
        }
    }
}
