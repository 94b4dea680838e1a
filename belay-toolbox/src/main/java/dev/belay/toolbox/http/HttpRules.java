package dev.belay.toolbox.http;

import dev.belay.schema.Shown;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLSocketFactory;

/**
 * The host's rules for web pages; a model cannot change them. Immutable: each method returns other rules.
 *
 * @param privateHosts hosts, as {@code name} or {@code name:port}, whose addresses need not be public
 * @param onlyHosts if not empty: no other hosts than these, by name
 * @param most the time limit of a call
 * @param largest how many bytes of a body are read
 * @param resolver finds the addresses of a name
 * @param tls makes TLS connections
 * @param marks whether control characters and the like in a page are shown as {@code <U+001B>}
 */
public record HttpRules(Set<String> privateHosts, Set<String> onlyHosts, Duration most, int largest,
        Resolver resolver, SSLSocketFactory tls, boolean marks) {

    /** Finds the addresses of a name; called once for each connection, which then goes to one of its addresses. */
    @FunctionalInterface
    public interface Resolver {

        /** The addresses, best first. */
        List<InetAddress> resolve(String host) throws UnknownHostException;
    }

    /**
     * The default rules: public addresses only; 30 seconds, as a person would wait; 256 KiB, of which a model sees the first
     * part; the resolver of the operating system and the certificates that Java trusts; marks, because a character that cannot be
     * seen can mislead.
     */
    public static final HttpRules DEFAULT = new HttpRules(Set.of(), Set.of(), Duration.ofSeconds(30),
            256 << 10,
            host -> Arrays.asList(InetAddress.getAllByName(host)),
            (SSLSocketFactory) SSLSocketFactory.getDefault(), true);

    /** Copies the sets and refuses bounds that are not positive. */
    public HttpRules {
        privateHosts = lower(privateHosts);
        onlyHosts = lower(onlyHosts);
        if (!most.isPositive() || largest < 1) {
            throw new IllegalArgumentException(
                    "time and size must be positive, found " + most + " and " + largest);
        }
    }

    /** Allows private addresses for these hosts: {@code localhost:8080}, or a name for every port. */
    public HttpRules allowPrivate(String... hosts) {
        return new HttpRules(joined(privateHosts, hosts), onlyHosts, most, largest, resolver, tls, marks);
    }

    /** Allows no other hosts than these. */
    public HttpRules only(String... hosts) {
        return new HttpRules(privateHosts, Set.of(hosts), most, largest, resolver, tls, marks);
    }

    /** With another limit of time. */
    public HttpRules most(Duration time) {
        return new HttpRules(privateHosts, onlyHosts, time, largest, resolver, tls, marks);
    }

    /** With another limit of size. */
    public HttpRules largest(int bytes) {
        return new HttpRules(privateHosts, onlyHosts, most, bytes, resolver, tls, marks);
    }

    /** With another source of addresses. */
    public HttpRules resolver(Resolver other) {
        return new HttpRules(privateHosts, onlyHosts, most, largest, other, tls, marks);
    }

    /** With other certificates to trust. */
    public HttpRules tls(SSLSocketFactory other) {
        return new HttpRules(privateHosts, onlyHosts, most, largest, resolver, other, marks);
    }

    /** Shows the text of pages as it is. */
    public HttpRules rawText() {
        return new HttpRules(privateHosts, onlyHosts, most, largest, resolver, tls, false);
    }

    String shown(String text) {
        return marks ? Shown.output(text) : text;
    }

    private static Set<String> joined(Set<String> known, String... more) {
        List<String> all = new ArrayList<>(known);
        all.addAll(List.of(more));
        return Set.copyOf(new TreeSet<>(all));
    }

    private static Set<String> lower(Set<String> names) {
        Set<String> lower = new TreeSet<>();
        names.forEach(name -> lower.add(name.toLowerCase(Locale.ROOT)));
        return Set.copyOf(lower);
    }
}
