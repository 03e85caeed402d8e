package dev.graspsync.sync;

import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The platform's certificate authorities, and an operator's own beside them. */
final class TrustedAuthorities {

    private TrustedAuthorities() {}

    /** An {@link IllegalArgumentException} says in words what is wrong with the file. */
    static TrustOptions with(Path pem) {
        try (InputStream in = Files.newInputStream(pem)) {
            KeyStore all = KeyStore.getInstance(KeyStore.getDefaultType());
            all.load(null, null);
            int number = 0;
            for (Certificate own : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                all.setCertificateEntry("own-" + number++, own);
            }
            if (number == 0) {
                throw new IllegalArgumentException(pem.toAbsolutePath() + " holds no certificate");
            }
            for (X509Certificate known : manager(null).getAcceptedIssuers()) {
                all.setCertificateEntry("platform-" + number++, known);
            }
            return TrustOptions.wrap(manager(all));
        } catch (IOException | GeneralSecurityException failure) {
            throw new IllegalArgumentException(
                    "cannot read certificates from " + pem.toAbsolutePath() + ": " + failure, failure);
        }
    }

    @SuppressWarnings("NullAway") // null stands for the platform's own
    private static X509TrustManager manager(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager found) {
                return found;
            }
        }
        throw new IllegalStateException("this platform has no X.509 trust manager");
    }
}
