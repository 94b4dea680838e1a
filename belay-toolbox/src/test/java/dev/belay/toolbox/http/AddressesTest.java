package dev.belay.toolbox.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.tool.ToolException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps the "no private addresses unless allowed": every form of every kind of them. */
@SuppressWarnings("AddressSelection") // literals, which stand for one address
class AddressesTest {

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254", "100.64.0.1", "100.127.255.255", "0.0.0.0", "0.1.2.3", "224.0.0.1", "239.1.1.1",
        "240.0.0.1", "255.255.255.255", "198.18.0.1", "198.19.255.255", "192.0.0.8", "192.0.2.1",
        "198.51.100.7",
        "203.0.113.9", "192.88.99.1", "::1", "::", "fe80::1", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::808:808",
        "64:ff9b:1::1",
        "2001:db8::1", "2001::1", "2002:7f00:1::", "2001:20::1", "3fff::1", "100::1", "4000::1"})
    void theseAreNotPublic(String address) throws UnknownHostException {
        InetAddress parsed = address.equals("::ffff:8.8.8.8") || address.equals("::ffff:127.0.0.1")
                ? mapped(address)
                : InetAddress.getByName(address);
        assertThat(Addresses.isPublic(parsed)).isFalse();
    }

    /** Java makes the inner address of it, so that this one is checked as what it is; here the outer form is kept. */
    private static InetAddress mapped(String address) throws UnknownHostException {
        byte[] inner = InetAddress.getByName(address).getAddress();
        byte[] bytes = new byte[16];
        bytes[10] = (byte) 0xff;
        bytes[11] = (byte) 0xff;
        System.arraycopy(inner, 0, bytes, 12, 4);
        return java.net.Inet6Address.getByAddress(null, bytes, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.8.8.8", "1.1.1.1", "93.184.216.34", "172.15.255.255", "172.32.0.1",
        "100.63.255.255",
        "100.128.0.1", "9.255.255.255", "11.0.0.1", "126.1.1.1", "128.0.0.1", "169.253.1.1", "192.167.1.1",
        "223.255.255.255", "198.17.1.1", "198.20.0.1", "2606:4700::1111", "2a00:1450::1", "2620:0:861::1"})
    void theseAre(String address) throws UnknownHostException {
        assertThat(Addresses.isPublic(InetAddress.getByName(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://127.1/",
        "http://0x7f.1/", "http://127.0.1/", "http://017700000001/", "http://0/", "http://127.0.0.1./",
        "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[64:ff9b::7f00:1]/",
        "http://[fd00::1]/", "http://[fe80::1]/", "http://[0:0:0:0:0:0:0:1]/", "http://169.254.169.254/",
        "http://[2002:7f00:1::]/", "http://100.64.0.1/", "http://224.0.0.1/"})
    void numbersAreReadInEveryForm(String url) {
        HttpRules rules = HttpRules.DEFAULT.resolver(host -> {
            throw new AssertionError("a number was asked for as a name: " + host);
        });
        // some forms are refused before, because no URL is written that way
        assertThat(refusal(url, rules)).isIn("private_address", "bad_url");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0x7f.1", "127.0.1",
        "017700000001",
        "127.0.0.1.", "0X7F.0.0.0x1", "127.0.0.1"})
    void thisMachineHasManyNumbers(String number) throws UnknownHostException {
        assertThat(Addresses.isNumeric(number)).isTrue();
        assertThat(Addresses.ofNumber(number)).contains(InetAddress.getByName("127.0.0.1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://256.1.1.1/", "http://1.2.3.4.5/", "http://0x1ffffffff/",
        "http://08.1.1.1/",
        "http://99999999999/", "http://1.2.3.0x/", "http://foo.1/"})
    void numbersThatAreNoneAreRefused(String url) {
        assertThat(refusal(url, HttpRules.DEFAULT)).isIn("unknown_host", "private_address", "bad_url");
    }

    @Test
    void oneAddressOfManyIsEnoughToRefuse() throws UnknownHostException {
        List<InetAddress> mixed = List.of(InetAddress.getByName("8.8.8.8"),
                InetAddress.getByName("10.0.0.1"));
        assertThat(refusal("http://mixed.test/", HttpRules.DEFAULT.resolver(host -> mixed)))
                .isEqualTo("private_address");
    }

    @Test
    void everyConnectionChecksWhatItWasTold() throws UnknownHostException {
        var answers = new ArrayDeque<>(List.of(InetAddress.getByName("93.184.216.34"),
                InetAddress.getByName("127.0.0.1")));
        HttpRules rules = HttpRules.DEFAULT.resolver(host -> List.of(answers.pop()));
        Target target = Target.of("http://rebind.test/", rules);
        assertThat(target.addresses(rules)).containsExactly(InetAddress.getByName("93.184.216.34"));
        assertThatThrownBy(() -> target.addresses(rules)).hasMessageContaining("not public");
    }

    @Test
    void allowedHostsAreAllowedWithTheirPort() {
        HttpRules rules = HttpRules.DEFAULT.allowPrivate("LOCALHOST:8080", "127.0.0.1")
                .resolver(host -> List.of(InetAddress.getLoopbackAddress()));
        assertThat(refusal("http://localhost:8080/", rules)).isEqualTo("none");
        assertThat(refusal("http://localhost:8081/", rules)).isEqualTo("private_address");
        assertThat(refusal("http://127.0.0.1:9/", rules)).isEqualTo("none");
        assertThat(refusal("http://2130706433:9/", rules)).isEqualTo("none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///etc/passwd", "ftp://a.test/", "gopher://a.test/", "jar:http://a.test!/",
        "//a.test/",
        "a.test", "http://user:password@a.test/", "http://user@a.test/", "http:///x", "http://a b/",
        "http://",
        "http://a.test:0/", "http://a.test:99999/", "http://bücher.test/", "http://[fe80::1%25eth0]/",
        "javascript:1",
        "http://exa_mple.test/", "http://a.test\r\nX: y/"})
    void otherUrlsAreASentence(String url) {
        assertThat(refusal(url, HttpRules.DEFAULT)).isIn("bad_url", "unknown_host");
    }

    private static String refusal(String url, HttpRules rules) {
        try {
            Target.of(url, rules).addresses(rules);
            return "none";
        } catch (ToolException e) {
            return e.code();
        }
    }
}
