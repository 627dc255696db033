package sluice.lab.bed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import sluice.lab.run.SluiceProcess;

/// A program called `sluice` that runs what this build made.
final class Launcher {

    private Launcher() {}

    /// Writes it into a folder.
    static Path in(Path folder) throws IOException {
        StringBuilder script = new StringBuilder("#!/bin/sh\nexec");
        for (String word : SluiceProcess.command()) {
            script.append(" '").append(word).append('\'');
        }
        Path file = folder.resolve("sluice");
        Files.writeString(file, script.append(" \"$@\"\n").toString());
        if (!file.toFile().setExecutable(true)) {
            throw new IOException(file + " cannot be made executable");
        }
        return file;
    }
}
