package sluice.lab.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A certificate for `lab.test` that signs itself: EC P-256, ten years.
///
/// @param certificate PEM
/// @param key PEM, PKCS #8
public record Certificate(Path certificate, Path key) {

    /// Worth nothing: the folder goes with the run.
    private static final String PASSWORD = "lab.test";

    private static final String ALIAS = "lab";

    /// Makes one with the JDK's own `keytool`.
    ///
    /// @param folder where to
    /// @throws IOException when that fails; the message says why
    public static Certificate make(Path folder) throws IOException, InterruptedException {
        Path store = folder.resolve("certificate.p12");
        keytool(store);
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            Key key = keys.getKey(ALIAS, PASSWORD.toCharArray());
            return new Certificate(
                    pem(
                            folder.resolve("certificate.pem"),
                            "CERTIFICATE",
                            keys.getCertificate(ALIAS).getEncoded()),
                    pem(folder.resolve("key.pem"), "PRIVATE KEY", key.getEncoded()));
        } catch (GeneralSecurityException broken) {
            throw new IOException("keytool's certificate cannot be read: " + broken, broken);
        }
    }

    private static void keytool(Path store) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                                .toString(),
                                        "-genkeypair",
                                        "-alias",
                                        ALIAS,
                                        "-keyalg",
                                        "EC",
                                        "-groupname",
                                        "secp256r1",
                                        "-dname",
                                        "CN=" + Wiring.SERVER_NAME,
                                        "-ext",
                                        "SAN=dns:" + Wiring.SERVER_NAME,
                                        "-ext",
                                        "BC=ca:true",
                                        "-validity",
                                        "3650",
                                        "-storetype",
                                        "PKCS12",
                                        "-keystore",
                                        store.toString(),
                                        "-storepass",
                                        PASSWORD))
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("keytool made no certificate: " + said);
        }
    }

    private static Path pem(Path file, String what, byte[] der) throws IOException {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(
                file, "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n");
    }
}
