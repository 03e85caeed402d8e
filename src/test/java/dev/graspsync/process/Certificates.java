package dev.graspsync.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An authority made on the fly, and what it signed for {@code localhost}.
 *
 * @param authority as PEM
 * @param keys of the relay, with its certificate
 * @param trust a trust store with the authority alone
 */
public record Certificates(Path authority, Path keys, Path trust) {

    public static final String PASSWORD = "changeit";

    public static Certificates create(Path folder) throws IOException, InterruptedException {
        return create(folder, "-1d");
    }

    /** Where the relay's certificate, which is for ten days, is no longer valid. */
    public static Certificates createExpired(Path folder) throws IOException, InterruptedException {
        return create(folder, "-20d");
    }

    private static Certificates create(Path folder, String from) throws IOException, InterruptedException {
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
                "-startdate",
                from,
                "-validity",
                "10",
                "-infile",
                request.toString(),
                "-outfile",
                signed.toString());
        Files.writeString(chain, Files.readString(signed) + Files.readString(authority));
        keytool(keys, "-importcert", "-noprompt", "-alias", "relay", "-file", chain.toString());
        Path trust = folder.resolve("trust.p12");
        keytool(trust, "-importcert", "-noprompt", "-alias", "ca", "-file", authority.toString());
        return new Certificates(authority, keys, trust);
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
