package dev.belay.toolbox.http;

import dev.belay.tool.ToolException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The checked address of a request, in the one spelling that rules, preview and digest see: every text that means the same page gives
 * an equal target.
 *
 * @param uri the URL
 * @param host its host, in lower case
 * @param port its port
 * @param secure whether it is https
 */
record Target(URI uri, String host, int port, boolean secure) {

    private static final int LONGEST = 8192;
    private static final HttpRules ANYWHERE = HttpRules.DEFAULT;
    private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");
    /** What needs no escape. */
    private static final String PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    /** Parses a URL; refused if it is invalid or not allowed. */
    static Target of(String text, HttpRules rules) {
        if (text.length() > LONGEST) {
            throw HttpRefusal.badUrl(text, "it has over " + LONGEST + " characters");
        }
        try {
            return of(text, new URI(text.strip()), rules);
        } catch (URISyntaxException e) {
            throw HttpRefusal.badUrl(text, e.getReason());
        }
    }

    /** Where a redirect leads, in its one spelling; empty if that is no address of a page. */
    Optional<String> ledTo(String location) {
        try {
            return Optional.of(of(location, uri.resolve(new URI(location.strip())), ANYWHERE).shown());
        } catch (URISyntaxException | IllegalArgumentException | ToolException e) {
            return Optional.empty();
        }
    }

    private static Target of(String text, URI uri, HttpRules rules) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw HttpRefusal.badUrl(text, "it must begin with http:// or https://");
        }
        if (uri.getRawUserInfo() != null) {
            throw HttpRefusal.badUrl(text, "it must not contain a user or password");
        }
        String host = uri.getHost();
        if (host == null || host.isEmpty()) {
            throw HttpRefusal.badUrl(text, "its host cannot be read; write names in ASCII (xn--…)");
        }
        host = oneSpelling(host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
        boolean secure = scheme.equals("https");
        int port = uri.getPort() == -1 ? (secure ? 443 : 80) : uri.getPort();
        if (port < 1 || port > 65_535) {
            throw HttpRefusal.badUrl(text, "its port must be from 1 to 65535");
        }
        if (!rules.onlyHosts().isEmpty() && !rules.onlyHosts().contains(host)) {
            throw HttpRefusal.hostNotAllowed(host, rules.onlyHosts());
        }
        return new Target(URI.create(scheme + "://" + authority(host, port, secure) + path(uri)), host, port,
                secure);
    }

    /** A name in lower case without the dot of the root, or the address that a number stands for. */
    private static String oneSpelling(String host) {
        if (Addresses.isNumeric(host)) {
            return Addresses.ofNumber(host).map(InetAddress::getHostAddress).orElse(host);
        }
        String name = host.toLowerCase(Locale.ROOT);
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /**
     * Path and query in one spelling: no {@code .} and {@code ..}, also where they are written as {@code %2e}, and in escapes only what
     * must be escaped. The fragment is left out, which a server never receives.
     */
    private static String path(URI uri) {
        URI ascii = URI.create(uri.toASCIIString());
        String query = ascii.getRawQuery();
        Deque<String> names = new ArrayDeque<>();
        String path = unescaped(ascii.getRawPath() == null ? "" : ascii.getRawPath());
        for (String name : path.split("/", -1)) {
            if (name.equals("..")) {
                names.pollLast();
            } else if (!name.equals(".")) {
                names.addLast(name);
            }
        }
        if (path.endsWith("/.") || path.endsWith("/..")) {
            names.addLast("");
        }
        String joined = String.join("/", names);
        return (joined.startsWith("/") ? joined : "/" + joined)
                + (query == null ? "" : "?" + unescaped(query));
    }

    /** The text with the escapes of letters, digits and {@code -._~} resolved and the others in capitals. */
    private static String unescaped(String text) {
        return ESCAPE.matcher(text).replaceAll(escape -> {
            char meant = (char) Integer.parseInt(escape.group(1), 16);
            return PLAIN.indexOf(meant) >= 0
                    ? String.valueOf(meant)
                    : "%" + escape.group(1).toUpperCase(Locale.ROOT);
        });
    }

    /** The addresses to connect to, resolved once; refused unless every one of them is allowed. */
    List<InetAddress> addresses(HttpRules rules) {
        List<InetAddress> addresses;
        try {
            addresses = Addresses.isNumeric(host)
                    ? Addresses.ofNumber(host).map(List::of).orElse(List.of())
                    : List.copyOf(rules.resolver().resolve(host));
        } catch (UnknownHostException e) {
            throw HttpRefusal.unknownHost(host);
        }
        if (addresses.isEmpty()) {
            throw HttpRefusal.unknownHost(host);
        }
        boolean mayBePrivate = rules.privateHosts().contains(host)
                || rules.privateHosts().contains(host + ":" + port);
        // a single private address among several would be enough for an attack
        if (!mayBePrivate && !addresses.stream().allMatch(Addresses::isPublic)) {
            throw HttpRefusal.privateAddress(host);
        }
        return addresses;
    }

    /** The target in the request line. */
    String pathAndQuery() {
        String query = uri.getRawQuery();
        return uri.getRawPath() + (query == null ? "" : "?" + query);
    }

    /** The value of the Host header. */
    String authority() {
        return authority(host, port, secure);
    }

    private static String authority(String host, int port, boolean secure) {
        String name = host.contains(":") ? "[" + host + "]" : host;
        return port == (secure ? 443 : 80) ? name : name + ":" + port;
    }

    /** The one spelling of this address. */
    String shown() {
        return uri.toString();
    }
}
