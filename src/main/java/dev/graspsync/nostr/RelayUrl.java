package dev.graspsync.nostr;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.netpreserve.urlcanon.Canonicalizer;
import org.netpreserve.urlcanon.ParsedUrl;

/**
 * A relay's address in its one canonical spelling, {@code wss://host[:port][/path]}: two URLs name the same relay
 * exactly if they are equal. Hosts are lower-case and punycode, numeric ones dotted decimal; default ports and the
 * slash of an empty path are dropped. A query is part of the address and kept.
 */
public final class RelayUrl implements Comparable<RelayUrl> {

    public static final int MAX_LENGTH = 1024;

    // No '@' before the path: the canonicalizer drops an empty user info without a word. No leading '.': it reads
    // the host "." as 0.0.0.0.
    private static final Pattern SHAPE = Pattern.compile("(?i)wss?://[^/?@.][^/?@]*([/?].*)?");
    private static final Pattern HOST = Pattern.compile("\\[[0-9a-f:.]+]|[a-z0-9_-]+(\\.[a-z0-9_-]+)*");
    private static final int PORT_WS = 80;
    private static final int PORT_WSS = 443;

    private final String text;
    private final String host;
    private final int port;
    private final boolean secure;

    private RelayUrl(String text, String host, int port, boolean secure) {
        this.text = text;
        this.host = host;
        this.port = port;
        this.secure = secure;
    }

    /** Absent for what is not a relay's URL, or carries user info, a fragment, blanks or control characters. */
    public static Optional<RelayUrl> parse(String url) {
        if (url.length() > MAX_LENGTH || !SHAPE.matcher(url).matches() || hasForbidden(url)) {
            return Optional.empty();
        }
        try {
            ParsedUrl parsed = ParsedUrl.parseUrl(url);
            Canonicalizer.WHATWG.canonicalize(parsed);
            return canonical(parsed).filter(found -> found.text.length() <= MAX_LENGTH);
        } catch (RuntimeException e) {
            // The canonicalizer throws a mix of unchecked exceptions for hosts it cannot convert.
            return Optional.empty();
        }
    }

    private static boolean hasForbidden(String url) {
        return url.chars()
                .anyMatch(c -> c <= ' '
                        || c == '\\'
                        || c == '#'
                        || Character.isISOControl(c)
                        || Character.isWhitespace(c)
                        || Character.isSpaceChar(c)
                        || Character.getType(c) == Character.FORMAT);
    }

    private static Optional<RelayUrl> canonical(ParsedUrl parsed) {
        String scheme = parsed.getScheme().toLowerCase(Locale.ROOT);
        boolean secure = scheme.equals("wss");
        String host = parsed.getHost().toLowerCase(Locale.ROOT);
        if (host.endsWith(".")) {
            host = host.substring(0, host.length() - 1);
        }
        int standardPort = secure ? PORT_WSS : PORT_WS;
        int port = parsed.getPort().isEmpty() ? standardPort : port(parsed.getPort());
        if (!HOST.matcher(host).matches() || port == 0) {
            return Optional.empty();
        }
        String query = parsed.getQuestionMark() + parsed.getQuery();
        String path = parsed.getPath().equals("/") && query.isEmpty() ? "" : parsed.getPath();
        String authority = port == standardPort ? host : host + ":" + port;
        return Optional.of(new RelayUrl(scheme + "://" + authority + path + query, host, port, secure));
    }

    /** 0 for what is not a port one can connect to. */
    private static int port(String digits) {
        if (!digits.matches("[0-9]{1,5}")) {
            return 0;
        }
        int port = Integer.parseInt(digits);
        return port > 65_535 ? 0 : port;
    }

    /** Without brackets for an IPv6 address. */
    public String host() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** The port to connect to, also where the URL leaves it out. */
    public int port() {
        return port;
    }

    public boolean isSecure() {
        return secure;
    }

    @Override
    public int compareTo(RelayUrl other) {
        return text.compareTo(other.text);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RelayUrl that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
