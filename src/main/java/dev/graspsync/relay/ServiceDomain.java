package dev.graspsync.relay;

import java.net.IDN;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The host and port by which announcements name this service. Without a port, the default port of the URL's own scheme
 * is meant. Hosts are compared whole: {@code evil-example.org} and {@code example.org.evil} are not {@code example.org}.
 */
record ServiceDomain(String host, OptionalInt port) {

    private static final Set<String> RELAY_SCHEMES = Set.of("ws", "wss");
    private static final Set<String> CLONE_SCHEMES = Set.of("http", "https");

    // No user info, fragment, space or backslash: parsers disagree about where such a URL leads.
    private static final Pattern URL = Pattern.compile("([A-Za-z]{2,5})://([^/?#@\\s\\\\]{1,300})([/?][^#\\s\\\\]*)?");
    private static final Pattern AUTHORITY = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]]+)(?::([0-9]{1,5}))?");

    static ServiceDomain parse(String domain) {
        return authority(domain).orElseThrow(() -> new IllegalArgumentException("not a host or host:port: " + domain));
    }

    boolean isRelay(String url) {
        return isNamedBy(url, RELAY_SCHEMES);
    }

    boolean isClone(String url) {
        return isNamedBy(url, CLONE_SCHEMES);
    }

    @Override
    public String toString() {
        return port.isPresent() ? host + ":" + port.getAsInt() : host;
    }

    private boolean isNamedBy(String url, Set<String> schemes) {
        Matcher matcher = URL.matcher(url);
        if (!matcher.matches()) {
            return false;
        }
        String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
        return schemes.contains(scheme)
                && authority(matcher.group(2))
                        .filter(other -> isAt(other, defaultPort(scheme)))
                        .isPresent();
    }

    private boolean isAt(ServiceDomain other, int defaultPort) {
        return host.equals(other.host) && port.orElse(defaultPort) == other.port.orElse(defaultPort);
    }

    private static int defaultPort(String scheme) {
        return scheme.equals("wss") || scheme.equals("https") ? 443 : 80;
    }

    private static Optional<ServiceDomain> authority(String text) {
        Matcher matcher = AUTHORITY.matcher(text);
        if (!matcher.matches() || text.chars().anyMatch(c -> c <= ' ' || "/?#@\\".indexOf(c) >= 0)) {
            return Optional.empty();
        }
        String port = matcher.group(2);
        OptionalInt number = port == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(port));
        return host(matcher.group(1)).map(host -> new ServiceDomain(host, number));
    }

    private static Optional<String> host(String text) {
        try {
            String ascii = text.startsWith("[") ? text : IDN.toASCII(text);
            String absolute = ascii.endsWith(".") ? ascii.substring(0, ascii.length() - 1) : ascii;
            return Optional.of(absolute.toLowerCase(Locale.ROOT)).filter(host -> !host.isEmpty());
        } catch (IllegalArgumentException tooLongOrForbidden) {
            return Optional.empty();
        }
    }
}
