package dev.graspsync.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An authority made on the fly, and what it signed for {@code localhost}. */
public record Certificates(Path authority, Path keys) {

    public static final String PASSWORD = "changeit";

    public static Certificates create(Path folder) throws IOException, InterruptedException {
        Path ca = folder.resolve("ca.p12");
        Path keys = folder.resolve("relay.p12");
        Path request = folder.resolve("relay.csr");
        Path signed = folder.resolve("relay.pem");
        Path authority = folder.resolve("ca.pem");
        Path chain = folder.resolve("chain.pem");
        keytool(ca, "-genkeypair", "-alias", "ca", "-keyalg", "EC", "-dname", "CN=tests", "-ext", "bc:c");
        keytool(ca, "-exportcert", "-rfc", "-alias", "ca", "-file", authority.toString());
        keytool(keys, "-genkeypair", "-alias", "relay", "-keyalg", "EC", "-dname", "CN=localhost");
        keytool(keys, "-certreq", "-alias", "relay", "-file", request.toString());
        keytool(
                ca,
                "-gencert",
                "-rfc",
                "-alias",
                "ca",
                "-ext",
                "SAN=dns:localhost",
                "-infile",
                request.toString(),
                "-outfile",
                signed.toString());
        Files.writeString(chain, Files.readString(signed) + Files.readString(authority));
        keytool(keys, "-importcert", "-noprompt", "-alias", "relay", "-file", chain.toString());
        return new Certificates(authority, keys);
    }

    private static void keytool(Path store, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (!keytool.waitFor(30, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IllegalStateException(command + ": " + said);
        }
    }
}
