package dev.belay.toolbox.http;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/**
 * The checked address of a request.
 *
 * @param uri the URL without its fragment
 * @param host its host, in lower case
 * @param port its port
 * @param secure whether it is https
 */
record Target(URI uri, String host, int port, boolean secure) {

    private static final int LONGEST = 8192;

    /** Parses a URL; refused if it is invalid or not allowed. */
    static Target of(String text, HttpRules rules) {
        if (text.length() > LONGEST) {
            throw HttpRefusal.badUrl(text, "it has over " + LONGEST + " characters");
        }
        URI uri;
        try {
            uri = new URI(text.strip());
        } catch (URISyntaxException e) {
            throw HttpRefusal.badUrl(text, e.getReason());
        }
        return of(text, uri, rules);
    }

    /** The target of a redirect. */
    Target follow(String location, HttpRules rules) {
        URI next;
        try {
            next = uri.resolve(new URI(location.strip()));
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw HttpRefusal.badUrl(location, "a redirect led there");
        }
        Target target = of(location, next, rules);
        if (secure && !target.secure) {
            throw HttpRefusal.badUrl(next.toString(), "a redirect led there from https");
        }
        return target;
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
        host = host.toLowerCase(Locale.ROOT);
        host = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        boolean secure = scheme.equals("https");
        int port = uri.getPort() == -1 ? (secure ? 443 : 80) : uri.getPort();
        if (port < 1 || port > 65_535) {
            throw HttpRefusal.badUrl(text, "its port must be from 1 to 65535");
        }
        if (!rules.onlyHosts().isEmpty() && !rules.onlyHosts().contains(host)) {
            throw HttpRefusal.hostNotAllowed(host, rules.onlyHosts());
        }
        return new Target(uri, host, port, secure);
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
        URI ascii = URI.create(uri.toASCIIString());
        String path = ascii.getRawPath();
        String query = ascii.getRawQuery();
        return (path == null || path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query);
    }

    /** The value of the Host header. */
    String authority() {
        String name = host.contains(":") ? "[" + host + "]" : host;
        return port == (secure ? 443 : 80) ? name : name + ":" + port;
    }

    /** The URL for messages, without the fragment, which a server never receives. */
    String shown() {
        String text = uri.toString();
        String fragment = uri.getRawFragment();
        return fragment == null ? text : text.substring(0, text.length() - fragment.length() - 1);
    }
}
