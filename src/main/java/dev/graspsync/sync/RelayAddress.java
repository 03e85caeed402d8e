package dev.graspsync.sync;

import dev.graspsync.nostr.RelayUrl;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;

/**
 * A relay with the checked address at which it is dialled. The name stays for the Host header, SNI and the certificate's
 * check, but is not resolved again: DNS cannot change between the check and the dialling (rule 26).
 */
record RelayAddress(RelayUrl relay, InetAddress ip) {

    /** A GET of the relay's own path at this address; redirects are not followed. */
    RequestOptions get() {
        String url = relay.toString();
        String rest = url.substring(url.indexOf("://") + 3);
        int slash = rest.indexOf('/');
        return new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setServer(SocketAddress.inetSocketAddress(relay.port(), ip.getHostAddress()))
                .setHost(relay.host())
                .setPort(relay.port())
                .setSsl(relay.isSecure())
                .setURI(slash < 0 ? "/" : rest.substring(slash))
                .setFollowRedirects(false)
                .putHeader("Host", slash < 0 ? rest : rest.substring(0, slash))
                .putHeader("User-Agent", "grasp-sync");
    }
}
