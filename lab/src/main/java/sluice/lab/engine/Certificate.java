package sluice.lab.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import sluice.lab.process.Programs;

/// A certificate for `lab.test` that signs itself: EC P-256, ten years.
///
/// @param certificate PEM
/// @param key PEM
public record Certificate(Path certificate, Path key) {

    /// Makes one.
    ///
    /// @param folder where to
    /// @throws IOException when openssl is missing or fails; the message says what to do
    public static Certificate make(Path folder) throws IOException, InterruptedException {
        Path openssl =
                Programs.onPath("openssl")
                        .orElseThrow(() ->
                                new IOException(
                                        "openssl is missing, which makes the certificate;"
                                                + " apt install openssl"));
        Path certificate = folder.resolve("certificate.pem");
        Path key = folder.resolve("key.pem");
        Process process =
                new ProcessBuilder(
                                List.of(
                                        openssl.toString(),
                                        "req",
                                        "-x509",
                                        "-newkey",
                                        "ec",
                                        "-pkeyopt",
                                        "ec_paramgen_curve:prime256v1",
                                        "-nodes",
                                        "-days",
                                        "3650",
                                        "-keyout",
                                        key.toString(),
                                        "-out",
                                        certificate.toString(),
                                        "-subj",
                                        "/CN=" + Wiring.SERVER_NAME,
                                        "-addext",
                                        "subjectAltName=DNS:" + Wiring.SERVER_NAME))
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("openssl made no certificate: " + said);
        }
        return new Certificate(certificate, key);
    }
}
