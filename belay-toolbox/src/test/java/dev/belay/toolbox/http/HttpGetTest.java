package dev.belay.toolbox.http;

import static dev.belay.toolbox.http.WireServer.page;
import static dev.belay.toolbox.http.WireServer.redirect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.context.CallId;
import dev.belay.toolbox.Calls;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code http_get} promises: checked and pinned addresses, one spelling of an address, bounded in every way. */
@Timeout(60)
@SuppressWarnings("AddressSelection") // literals, which stand for one address
class HttpGetTest {

    private static final HttpRules.Resolver LOOPBACK = host -> List.of(loopback());

    private static InetAddress loopback() throws UnknownHostException {
        return InetAddress.getByName("127.0.0.1");
    }

    private static Calls calls(HttpRules rules) {
        return new Calls(HttpTools.of(rules));
    }

    /** Rules under which the name stands for this machine and may. */
    private static HttpRules at(String... hosts) {
        return HttpRules.DEFAULT.resolver(LOOPBACK).allowPrivate(hosts);
    }

    @Test
    void pageComesWithStatusAndType() throws IOException {
        try (WireServer server = WireServer.saying(page("text/html; charset=utf-8", "<p>grüezi</p>"))) {
            String url = "http://site.test:" + server.port() + "/a%20b?q=1#part";
            assertThat(calls(at("site.test")).text("http_get", "url", url)).isEqualTo(
                    "HTTP 200 text/html; charset=utf-8 http://site.test:" + server.port()
                            + "/a%20b?q=1\n\ngrüezi");
            assertThat(server.requests).singleElement()
                    .asString()
                    .startsWith("GET /a%20b?q=1 HTTP/1.1\n")
                    .contains("Host: site.test:" + server.port() + "\n")
                    .doesNotContain("Cookie")
                    .doesNotContain("Authorization");
        }
    }

    @Test
    void pageMarksControlAndBidiCharacters() throws IOException {
        try (WireServer server = WireServer.saying(page("text/plain", "red\u001b[31m \u202eturned"))) {
            String url = "http://a.test:" + server.port();
            assertThat(calls(at("a.test")).text("http_get", "url", url))
                    .endsWith("\n\nred<U+001B>[31m <U+202E>turned");
            assertThat(calls(at("a.test").rawText()).text("http_get", "url", url))
                    .endsWith("\n\nred\u001b[31m \u202eturned");
        }
    }

    @Test
    void aPageIsReadAsTextAndRawAsItIs() throws IOException {
        String html = """
                <html><head><title>Ropes &amp; more</title><style>p {color: red}</style><script>track()</script></head><body>
                <nav><a href="/home">Home</a></nav>
                <main><h1>Ropes</h1><p>A <b>dynamic</b>
                rope, see <a href="../care#wash">care</a> and <a href="http://other.test/x">this</a>, <a href="../care">again</a>.</p>
                <ul><li>60 m</li><li><p>70 m</p><ol><li>thin</li><li>thick</li></ol></li></ul>
                <table><tr><th>Name</th><th>Price</th></tr><tr><td>Nine</td><td>120<br>euros</td></tr></table>
                <pre><code>a  =  1
                b</code></pre><p hidden>never shown</p><p style="display: none">nor this</p></main>
                <footer>Imprint</footer></body></html>
                """;
        try (WireServer server = WireServer.saying(page("text/html; charset=utf-8", html))) {
            String site = "http://site.test:" + server.port();
            String read = calls(at("site.test")).text("http_get", "url", site + "/shop/ropes/");
            assertThat(read).isEqualTo("HTTP 200 text/html; charset=utf-8 " + site + "/shop/ropes/\n\n" + """
                    Title: Ropes & more

                    # Ropes

                    A dynamic rope, see care[1] and this[2], again[1].

                    - 60 m
                    - 70 m
                      1. thin
                      2. thick

                    | Name | Price |
                    |---|---|
                    | Nine | 120 euros |

                    ```
                    a  =  1
                    b
                    ```

                    Links:
                    [1] SITE/shop/care
                    [2] http://other.test/x""".replace("SITE", site));
            assertThat(calls(at("site.test")).text("http_get", "url", site + "/", "raw", true))
                    .endsWith(html);
            // one spelling of the address leaves the rest of the arguments
            assertThat(calls(at("site.test")).text("http_get", "url", site + "/./", "raw", true))
                    .endsWith(html);
        }
    }

    @Test
    void aPageWithoutAMainPartIsItsBodyInTheCharsetThatItNames() throws IOException {
        byte[] html = "<meta charset=iso-8859-1><header>Menu</header><div>gr\u00fcezi</div><aside>ads</aside>"
                .getBytes(StandardCharsets.ISO_8859_1);
        assertThat(PageText.of(html, null, "http://a.test/")).isEqualTo("gr\u00fcezi");
    }

    @Test
    void aPageOfNestedElementsIsRead() {
        byte[] html = ("<div>".repeat(50_000) + "<ul><li>".repeat(2_000) + "deep")
                .getBytes(StandardCharsets.UTF_8);
        assertThat(PageText.of(html, null, "http://a.test/")).contains("deep");
    }

    @Test
    void notFoundIsAnAnswer() throws IOException {
        try (WireServer server = WireServer
                .saying("HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\ngone")) {
            assertThat(calls(at("a.test")).text("http_get", "url", "http://a.test:" + server.port()))
                    .isEqualTo("HTTP 404 text/plain http://a.test:" + server.port() + "/\n\ngone");
        }
    }

    @Test
    void loopbackIsRefusedUnlessAllowed() throws IOException {
        try (WireServer server = WireServer.saying(page("text/plain", "secret"))) {
            for (String host : List.of("127.0.0.1", "localhost", "2130706433", "0x7f000001",
                    "[::ffff:127.0.0.1]")) {
                assertThat(calls(HttpRules.DEFAULT).code("http_get", "url",
                        "http://" + host + ":" + server.port()))
                        .isEqualTo("private_address");
            }
            assertThat(calls(HttpRules.DEFAULT.resolver(LOOPBACK)).code("http_get", "url",
                    "http://innocent.test:" + server.port())).isEqualTo("private_address");
            assertThat(server.requests).isEmpty();
        }
    }

    @Test
    void nameIsResolvedOnceAndTheConnectionGoesThere() throws IOException {
        try (WireServer server = WireServer.saying(page("text/plain", "here"))) {
            AtomicInteger asked = new AtomicInteger();
            HttpRules rules = HttpRules.DEFAULT.allowPrivate("rebind.test").resolver(host -> {
                // a second lookup gets an address without a server
                return List
                        .of(asked.incrementAndGet() == 1 ? loopback() : InetAddress.getByName("127.0.0.99"));
            });
            assertThat(calls(rules).text("http_get", "url", "http://rebind.test:" + server.port()))
                    .endsWith("here");
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void aRedirectIsToldAndNotFollowed() throws IOException {
        try (WireServer server = new WireServer((path, out) -> out.write((switch (path) {
            case "/relative" -> redirect("end?x=1");
            case "/other" -> redirect("HTTP://Other.Test:80/./end");
            case "/file" -> redirect("file:///etc/passwd");
            case "/user" -> redirect("http://a:b@site.test/");
            default -> page("text/plain", "the end of " + path);
        }).getBytes(StandardCharsets.UTF_8)))) {
            Calls calls = calls(at("site.test", "other.test"));
            String base = "http://site.test:" + server.port();
            assertThat(calls.text("http_get", "url", base + "/relative")).isEqualTo("HTTP 302 " + base
                    + "/relative\n\nThe page is at " + base
                    + "/end?x=1\nNothing was read there: call http_get with that address if you need it.\n");
            assertThat(calls.text("http_get", "url", base + "/other"))
                    .contains("The page is at http://other.test/end\n");
            assertThat(calls.text("http_get", "url", base + "/file"))
                    .endsWith("The server leads to file:///etc/passwd, which is no address of a page.\n");
            assertThat(calls.text("http_get", "url", base + "/user"))
                    .endsWith("which is no address of a page.\n");
            assertThat(server.requests).hasSize(4).noneMatch(request -> request.contains("/end"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {" http://127.0.0.1:81/a/b", "http://127.0.0.1:81/a/b\n",
        "HTTP://127.0.0.1:81/a/b",
        "http://2130706433:81/a/b", "http://0177.0.0.1:81/a/b",
        "http://127.0.0.1:81/a/./b", "http://127.0.0.1:81/x/../a/b", "http://127.0.0.1:81/../a/b",
        "http://127.0.0.1:81/x/%2e%2E/a/b", "http://127.0.0.1:81/%61/b", "http://127.0.0.1:81/a/b#part",
        "\thttp://127.0.0.1:81/a/b "})
    void everySpellingOfAnAddressBecomesTheSame(String written) throws Exception {
        assertThat(spelled(written)).isEqualTo("http://127.0.0.1:81/a/b");
    }

    @Test
    void oneSpellingIsOneToTheLetter() throws Exception {
        assertThat(spelled("https://Example.ORG.:443")).isEqualTo("https://example.org/");
        assertThat(spelled("http://example.org/a%2fb?q=%c3%a9%7e&r=%26")).isEqualTo(
                "http://example.org/a%2Fb?q=%C3%A9~&r=%26");
        assertThat(spelled("http://[::1]:80/é")).isEqualTo("http://[0:0:0:0:0:0:0:1]/%C3%A9");
        assertThat(spelled("http://example.org/a/.")).isEqualTo("http://example.org/a/");
        assertThat(spelled("http://example.org/a//b")).isEqualTo("http://example.org/a//b");
    }

    /** The address that rules, preview and body see. */
    private static String spelled(String written) throws Exception {
        HttpTools tools = HttpTools.of(HttpRules.DEFAULT);
        ToolDefinition definition = tools.definitions().getFirst();
        Json arguments = Json.object(Map.of("url", Json.string(written)));
        Json replaced = tools.prepare(new PrepareCall(definition, new CallId("c"),
                Arguments.require(definition, arguments))).replaced();
        if (replaced == null) {
            return written;
        }
        Json again = tools.prepare(new PrepareCall(definition, new CallId("c"),
                Arguments.require(definition, replaced))).replaced();
        assertThat(again).as("the spelling of the spelling").isNull();
        return replaced.get("url").orElseThrow().asString();
    }

    @Test
    void onlyNamedHostsAreAsked() throws IOException {
        try (WireServer server = WireServer.saying(redirect("http://other.test/"))) {
            Calls calls = calls(at("site.test", "other.test").only("site.test"));
            assertThat(calls.code("http_get", "url", "http://other.test:" + server.port()))
                    .isEqualTo("host_not_allowed");
            assertThat(server.requests).isEmpty();
        }
    }

    @Test
    void endlessBodiesAreCut() throws IOException {
        byte[] piece = "endless ".repeat(1000).getBytes(StandardCharsets.UTF_8);
        for (String head : List.of("Connection: close\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n",
                "Content-Length: 99999999999\r\n\r\n")) {
            try (WireServer server = new WireServer((path, out) -> {
                out.write(("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" + head)
                        .getBytes(StandardCharsets.UTF_8));
                while (true) {
                    if (head.startsWith("Transfer")) {
                        out.write((Integer.toHexString(piece.length) + "\r\n")
                                .getBytes(StandardCharsets.UTF_8));
                    }
                    out.write(piece);
                    if (head.startsWith("Transfer")) {
                        out.write("\r\n".getBytes(StandardCharsets.UTF_8));
                    }
                }
            })) {
                assertThat(calls(at("a.test").largest(100_000)).text("http_get", "url",
                        "http://a.test:" + server.port())).as(head)
                        .endsWith("\n[cut after 100000 bytes; the page is longer]\n")
                        .hasSizeLessThan(100_200);
            }
        }
    }

    @Test
    void slowAnswersEndInTime() throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        for (String begin : List.of("", "HTTP/1.1 200 OK\r\nX: ",
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")) {
            try (WireServer server = new WireServer((path, out) -> {
                out.write(begin.getBytes(StandardCharsets.UTF_8));
                out.flush();
                awaitQuietly(end);
            })) {
                assertThat(calls(at("a.test").most(Duration.ofMillis(300))).code("http_get", "url",
                        "http://a.test:" + server.port())).isEqualTo("page_timed_out");
            }
        }
        end.countDown();
    }

    @Test
    void slowResolverEndsInTime() {
        CountDownLatch end = new CountDownLatch(1);
        HttpRules rules = HttpRules.DEFAULT.most(Duration.ofMillis(300)).resolver(host -> {
            awaitQuietly(end);
            return List.of(loopback());
        });
        assertThat(calls(rules).code("http_get", "url", "http://a.test/")).isEqualTo("page_timed_out");
        end.countDown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void interruptionClosesTheConnection() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        try (WireServer server = new WireServer((path, out) -> {
            asked.countDown();
            try {
                while (true) {
                    out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                }
            } catch (IOException gone) {
                closed.countDown();
            }
        })) {
            AtomicReference<String> text = new AtomicReference<>();
            Thread caller = Thread.ofPlatform()
                    .start(() -> text.set(
                            calls(at("a.test")).text("http_get", "url", "http://a.test:" + server.port())));
            asked.await();
            caller.interrupt();
            caller.join();
            closed.await();
            assertThat(text.get()).startsWith("Error (");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "garbage\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "HTTP/1.1 101 Switching\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx"})
    void brokenAnswersAreASentence(String answer) throws IOException {
        try (WireServer server = WireServer.saying(answer)) {
            assertThat(calls(at("a.test")).code("http_get", "url", "http://a.test:" + server.port()))
                    .isEqualTo("bad_page");
        }
    }

    @Test
    void endlessHeadsAreASentence() throws IOException {
        for (String piece : List.of("X: y\r\n", "x")) {
            try (WireServer server = new WireServer((path, out) -> {
                out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.UTF_8));
                while (true) {
                    out.write(piece.repeat(1000).getBytes(StandardCharsets.UTF_8));
                }
            })) {
                assertThat(calls(at("a.test")).code("http_get", "url", "http://a.test:" + server.port()))
                        .isEqualTo("bad_page");
            }
        }
    }

    @Test
    @SuppressWarnings("StringConcatToTextBlock") // lines of HTTP end with CR LF, those of a text block do not
    void chunksAreJoined() throws IOException {
        String answer = String.join("\r\n", "HTTP/1.1 200 OK", "Content-Type: application/json",
                "Transfer-Encoding: chunked", "", "3", "{\"a", "4;x=y", "\":1}", "0", "", "");
        try (WireServer server = WireServer.saying(answer)) {
            assertThat(calls(at("a.test")).text("http_get", "url", "http://a.test:" + server.port()))
                    .endsWith("\n\n{\"a\":1}");
        }
    }

    @Test
    void onlyTextIsShown() throws IOException {
        for (String type : List.of("image/png", "application/octet-stream", "application/pdf", "video/mp4")) {
            try (WireServer server = WireServer.saying(page(type, "x"))) {
                assertThat(calls(at("a.test")).text("http_get", "url", "http://a.test:" + server.port()))
                        .startsWith("Error (not_a_text_page)")
                        .contains(type);
            }
        }
        for (String type : List.of("application/ld+json", "text/csv", "application/xhtml+xml",
                "APPLICATION/JSON")) {
            try (WireServer server = WireServer.saying(page(type, "x"))) {
                assertThat(calls(at("a.test")).text("http_get", "url", "http://a.test:" + server.port()))
                        .endsWith("\n\nx");
            }
        }
        try (WireServer server = WireServer.saying("HTTP/1.0 200 OK\r\n\r\nplain until the end")) {
            assertThat(calls(at("a.test")).text("http_get", "url", "http://a.test:" + server.port()))
                    .endsWith("plain until the end");
        }
        try (WireServer server = WireServer.saying("HTTP/1.0 200 OK\r\n\r\nbin\0ary")) {
            assertThat(calls(at("a.test")).code("http_get", "url", "http://a.test:" + server.port()))
                    .isEqualTo("not_a_text_page");
        }
    }

    @Test
    void charsetIsHeeded() throws IOException {
        try (WireServer server = new WireServer((path, out) -> out.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=\"ISO-8859-1\"\r\nContent-Length: 1\r\n\r\n\u00e4"
                        .getBytes(StandardCharsets.ISO_8859_1)))) {
            assertThat(calls(at("a.test")).text("http_get", "url", "http://a.test:" + server.port()))
                    .endsWith("\n\nä");
        }
    }

    @Test
    void nobodyThereIsASentence() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, loopback())) {
            port = free.getLocalPort();
        }
        assertThat(calls(at("a.test")).code("http_get", "url", "http://a.test:" + port))
                .isEqualTo("page_failed");
        HttpRules nowhere = HttpRules.DEFAULT.resolver(host -> {
            throw new UnknownHostException(host);
        });
        assertThat(calls(nowhere).text("http_get", "url", "http://no.test/"))
                .isEqualTo("Error (unknown_host): there is no host no.test");
    }

    @Test
    void noFieldChoosesHeadersOrRules() {
        for (String field : List.of("headers", "host", "proxy", "cookie", "allowPrivate")) {
            assertThat(calls(HttpRules.DEFAULT).code("http_get", "url", "http://a.test/", field, "x"))
                    .isEqualTo("invalid_arguments");
        }
    }

    /** The connection goes to the address, the name goes into the handshake and must be in the certificate. */
    @Test
    void certificateMustBeOfTheName(@TempDir Path directory) throws Exception {
        SSLContext tls = tls(directory, "site.test");
        ServerSocket listening = tls.getServerSocketFactory().createServerSocket(0, 50, loopback());
        try (WireServer server = new WireServer(listening,
                (path, out) -> out.write((path.equals("/down")
                        ? redirect("http://site.test/")
                        : page("text/plain", "private")).getBytes(StandardCharsets.UTF_8)))) {
            HttpRules rules = at("site.test", "other.test");
            HttpRules trusting = rules.tls(tls.getSocketFactory());
            String port = ":" + server.port();
            assertThat(calls(trusting).text("http_get", "url", "https://site.test" + port))
                    .endsWith("private");
            assertThat(server.requests.getFirst()).contains("Host: site.test" + port + "\n");
            assertThat(calls(trusting).code("http_get", "url", "https://other.test" + port))
                    .isEqualTo("page_failed");
            assertThat(calls(rules).code("http_get", "url", "https://site.test" + port))
                    .isEqualTo("page_failed");
            assertThat(calls(trusting).text("http_get", "url", "https://site.test" + port + "/down"))
                    .contains("The page is at http://site.test/\n");
        }
    }

    private static SSLContext tls(Path directory, String name) throws Exception {
        Path store = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "a", "-keyalg", "EC", "-dname", "CN=" + name, "-ext",
                "san=dns:" + name,
                "-storetype", "PKCS12", "-storepass", "changeit", "-keystore", store.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, "changeit".toCharArray());
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, "changeit".toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory
                .getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }
}
