package dev.belay.runtime.policy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a rule asks of one value of the arguments. A value that is missing, or of another type, does not match; {@link #not} turns that around
 * too. Immutable.
 */
public final class Match {

    private static final Pattern HOST = Pattern
            .compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

    private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*");

    /** Bounds of ranges within this distance of zero are screened; a whole number next to one of them is a {@code long} too. */
    private static final BigDecimal SCREENED = BigDecimal.valueOf(Long.MAX_VALUE / 2);
    /** A whole number of so many characters is a {@code long}. */
    private static final int DIGITS = 18;

    private final String words;
    private final Test test;
    private final @Nullable Span whole;

    /**
     * The whole numbers of a range.
     *
     * @param least the first
     * @param most the last
     */
    record Span(long least, long most) {}

    /** Looks at a value. */
    private interface Test {
        boolean holds(Value value);
    }

    /** A value of the arguments that many rules look at: missing, a number, a text or something else. Read once a decision. Confined to that. */
    static final class Value {

        private final @Nullable Json json;
        private final @Nullable String text;
        private final boolean isWhole;
        private final long whole;
        private @Nullable BigDecimal number;

        Value(@Nullable Json json) {
            this.json = json;
            this.text = json != null && json.kind() == Json.Kind.STRING ? json.asString() : null;
            String digits = json != null && json.kind() == Json.Kind.NUMBER ? json.text() : "";
            this.isWhole = isWhole(digits);
            this.whole = isWhole ? Long.parseLong(digits) : 0;
        }

        private static boolean isWhole(String digits) {
            int from = digits.startsWith("-") ? 1 : 0;
            for (int i = from; i < digits.length(); i++) {
                if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
                    return false;
                }
            }
            return digits.length() > from && digits.length() <= DIGITS;
        }

        static Value at(String pointer, Json arguments) {
            return new Value(arguments.at(pointer).orElse(null));
        }

        /** The number that it is; null if it is none. */
        private @Nullable BigDecimal number() {
            if (number == null && json != null && json.kind() == Json.Kind.NUMBER) {
                number = isWhole ? BigDecimal.valueOf(whole) : json.asBigDecimal();
            }
            return number;
        }

        /** Whether it is known to lie outside a range of whole numbers. */
        boolean isOutside(long least, long most) {
            return isWhole && (whole < least || whole > most);
        }
    }

    private Match(String words, Test test) {
        this(words, test, null);
    }

    private Match(String words, Test test, @Nullable Span whole) {
        this.words = words;
        this.test = test;
        this.whole = whole;
    }

    /** The whole numbers for which it holds, if it is a range; null if that is not known. */
    @Nullable
    Span whole() {
        return whole;
    }

    boolean holds(Value value) {
        return test.holds(value);
    }

    /** The same value: texts by their characters, numbers by their value ({@code 1} and {@code 1.0} are the same). */
    public static Match equalTo(Json wanted) {
        BigDecimal number = new Value(wanted).number();
        return new Match("equals " + wanted.canonical(), value -> {
            BigDecimal found = number == null ? null : value.number();
            return number == null ? wanted.equals(value.json) : found != null && found.compareTo(number) == 0;
        });
    }

    /** The same text. */
    public static Match equalTo(String wanted) {
        return equalTo(Json.string(wanted));
    }

    /** A text that a pattern matches: {@code *} stands for any characters, {@code ?} for one. */
    public static Match glob(String pattern) {
        var glob = new Glob(pattern);
        return text("glob " + framed(pattern), glob::matches);
    }

    /** A text that begins with another. */
    public static Match prefix(String prefix) {
        return text("prefix " + framed(prefix), text -> text.startsWith(prefix));
    }

    /** A text that could pass for the next of several matches is quoted: rules that differ have other words, and other hashes. */
    private static String framed(String text) {
        return text.contains(" and ") || text.startsWith("\"") ? Json.string(text).text() : text;
    }

    private interface TextTest {
        boolean holds(String text);
    }

    private static Match text(String words, TextTest test) {
        return new Match(words, value -> value.text != null && test.holds(value.text));
    }

    /** A number above another. */
    public static Match above(Number bound) {
        return range("above", bound, 1, 1);
    }

    /** A number that is another or above it. */
    public static Match atLeast(Number bound) {
        return range("at least", bound, 0, 1);
    }

    /** A number below another. */
    public static Match below(Number bound) {
        return range("below", bound, -1, -1);
    }

    /** A number that is another or below it. */
    public static Match atMost(Number bound) {
        return range("at most", bound, -1, 0);
    }

    private static Match range(String words, Number bound, int least, int most) {
        BigDecimal number = bound instanceof BigDecimal exact ? exact : new BigDecimal(bound.toString());
        return new Match(words + " " + number, value -> {
            BigDecimal found = value.number();
            if (found == null) {
                return false;
            }
            int compared = Integer.signum(found.compareTo(number));
            return compared >= least && compared <= most;
        }, whole(number, least, most));
    }

    private static @Nullable Span whole(BigDecimal bound, int least, int most) {
        if (bound.scale() < 0 || bound.scale() > DIGITS || bound.abs().compareTo(SCREENED) > 0) {
            return null;
        }
        long floor = bound.setScale(0, RoundingMode.FLOOR).longValueExact();
        long ceiling = bound.setScale(0, RoundingMode.CEILING).longValueExact();
        return least >= 0
                ? new Span(least == 1 ? floor + 1 : ceiling, Long.MAX_VALUE)
                : new Span(Long.MIN_VALUE, most == 0 ? floor : ceiling - 1);
    }

    /**
     * A path inside a directory, or the directory itself. A relative path counts as one below it; {@code .} and {@code ..} are resolved by
     * name, and links are not followed.
     */
    public static Match inside(String directory) {
        String root = normal(directory, "");
        if (root == null || root.isEmpty()) {
            throw new BelayException("invalid_policy", "\"" + ShownText.escaped(directory)
                    + "\" is no directory: name one by an absolute path, such as /srv/data");
        }
        return text("inside " + framed(root), text -> {
            String path = normal(text, root);
            return path != null && (path.equals(root) || path.startsWith(root + "/"));
        });
    }

    /** An absolute path without {@code .} and {@code ..}; null if it leaves the root of all paths, or has a character that no path has. */
    private static @Nullable String normal(String path, String base) {
        if (path.indexOf('\0') >= 0 || path.startsWith("~") || path.indexOf('\\') >= 0) {
            return null;
        }
        Deque<String> parts = new ArrayDeque<>();
        for (String part : (path.startsWith("/") ? path : base + "/" + path).split("/", -1)) {
            if (part.equals("..")) {
                if (parts.pollLast() == null) {
                    return null;
                }
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        return "/" + String.join("/", parts);
    }

    /**
     * A web address ({@code http} or {@code https}), or a name with or without a port, whose host is one of these.
     * {@code *.example.org} stands for all hosts below {@code example.org}, {@code ldap://example.org} for addresses of another scheme.
     * Blanks around the text do not count.
     */
    public static Match hostIn(Collection<String> hosts) {
        List<Place> known = hosts.stream().map(host -> Place.wanted(host.toLowerCase(Locale.ROOT))).toList();
        return text("host_in " + String.join(" ", hosts).toLowerCase(Locale.ROOT), text -> {
            Place place = Place.of(text.strip());
            return place != null && known.stream().anyMatch(one -> one.holds(place));
        });
    }

    /** A scheme and a host in lower case. In a rule, the scheme {@code web} stands for {@code http} and {@code https}. */
    private record Place(String scheme, String host) {

        private static final String WEB = "web";
        private static final Pattern WITH_SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://");

        static Place wanted(String written) {
            int scheme = written.indexOf("://");
            String host = scheme < 0 ? written : written.substring(scheme + 3);
            if (!HOST.matcher(host.startsWith("*.") ? host.substring(2) : host).matches()
                    || (scheme >= 0 && !SCHEME.matcher(written.substring(0, scheme)).matches())) {
                throw new BelayException("invalid_policy", "\"" + ShownText.escaped(written)
                        + "\" is no host: write example.org or *.example.org, and ldap://example.org for a scheme that is not http or https");
            }
            return new Place(scheme < 0 ? WEB : written.substring(0, scheme), host);
        }

        static @Nullable Place of(String text) {
            try {
                URI uri = new URI(text.startsWith("//")
                        ? "http:" + text
                        : WITH_SCHEME.matcher(text).lookingAt() ? text : "http://" + text);
                String host = uri.getHost();
                if (host == null || uri.getRawUserInfo() != null) {
                    return null;
                }
                String plain = host.toLowerCase(Locale.ROOT);
                return new Place(uri.getScheme().toLowerCase(Locale.ROOT),
                        plain.endsWith(".") ? plain.substring(0, plain.length() - 1) : plain);
            } catch (URISyntaxException e) {
                return null;
            }
        }

        boolean holds(Place found) {
            boolean sameScheme = scheme.equals(WEB)
                    ? found.scheme.equals("http") || found.scheme.equals("https")
                    : scheme.equals(found.scheme);
            return sameScheme && (host.startsWith("*.")
                    ? found.host.endsWith(host.substring(1))
                    : found.host.equals(host));
        }
    }

    /** A value that several matches hold for. */
    public static Match allOf(Collection<Match> matches) {
        List<Match> all = List.copyOf(matches);
        return new Match(all.stream().map(Match::toString).collect(Collectors.joining(" and ", "(", ")")),
                value -> all.stream().allMatch(one -> one.holds(value)));
    }

    /** A value that another match does not hold for, also one that is missing or of another type. */
    public static Match not(Match other) {
        return new Match("not " + other.words, value -> !other.holds(value));
    }

    /** A value that is there, whatever it is. */
    public static Match present() {
        return new Match("present", value -> value.json != null);
    }

    /** What it asks, in words that are the same for the same match. */
    @Override
    public String toString() {
        return words;
    }
}
