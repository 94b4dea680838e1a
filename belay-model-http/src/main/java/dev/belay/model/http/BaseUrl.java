package dev.belay.model.http;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Where a provider's API is, such as {@code http://127.0.0.1:11434/v1}.
 *
 * @param uri http or https, with a host, without user, password and fragment, and without a slash at the end of its path; a query
 *     is kept and sent with every request
 */
public record BaseUrl(URI uri) {

    private static final Pattern LOOPBACK = Pattern
            .compile("localhost\\.?|.+\\.localhost\\.?|127(\\.\\d{1,3}){1,3}|\\[(::1|0(:0){6}:1)]");

    /** Refuses an address that no request can be sent to. */
    public BaseUrl {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "a base URL must not hold a user or password (not shown); give the key apart from it");
        }
        if ((!scheme.equals("http") && !scheme.equals("https")) || uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "a base URL must be like https://host/v1 or http://127.0.0.1:11434/v1, not \"" + uri
                            + "\"");
        }
        if (uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "a base URL must not have a fragment (#…), but \"" + uri + "\" has");
        }
        uri = URI
                .create(scheme + "://" + uri.getRawAuthority() + withoutSlash(uri.getRawPath()) + query(uri));
    }

    /** Parses the text of a base URL; white space around it is dropped. */
    public static BaseUrl of(String text) {
        try {
            return new BaseUrl(URI.create(text.strip()));
        } catch (IllegalArgumentException e) {
            if (text.contains("@")) {
                throw new IllegalArgumentException(
                        "this base URL (not shown, as it may hold a password) is not usable", null);
            }
            throw e;
        }
    }

    /** The address of one operation. */
    public URI at(String path) {
        return URI.create(shown() + path + query(uri));
    }

    /** Whether the host is this machine, judged by its name alone, without a lookup. */
    public boolean isLoopback() {
        return LOOPBACK.matcher(uri.getHost().toLowerCase(Locale.ROOT)).matches();
    }

    /** Whether the scheme is https. */
    public boolean isEncrypted() {
        return uri.getScheme().equals("https");
    }

    /** The same without its query, for messages. */
    String shown() {
        return uri.getScheme() + "://" + uri.getRawAuthority() + uri.getRawPath();
    }

    /** Scheme, host and port. */
    public String origin() {
        return uri.getScheme() + "://" + uri.getRawAuthority();
    }

    /** The address without its query. */
    @Override
    public String toString() {
        return shown();
    }

    private static String withoutSlash(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }

    private static String query(URI uri) {
        return uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    }
}
