package dev.belay.model.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.ModelEvent.Finished;
import dev.belay.model.ModelEvent.Started;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelException;
import dev.belay.model.ModelException.Kind;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelResponse;
import dev.belay.model.http.exchange.OutsideNotice;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import dev.belay.tool.option.RetryPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The exchange itself, with the smallest protocol there is: words as events, then END. */
@Timeout(60)
class ModelHttpTest {

    private static final HttpSettings ONCE = HttpSettings.DEFAULT.withRetries(RetryPolicy.NONE);

    private final WireServer server = WireServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    /** The end of an answer may come after the next request, which then needs a connection of its own; but not always. */
    @Test
    void aConnectionIsUsedAgain() {
        ModelHttp http = http(ONCE);
        int calls = 50;
        for (int i = 0; i < calls; i++) {
            server.play(words("a", "END"));
            assertThat(ask(http).text()).isEqualTo("a");
        }
        assertThat(server.connections()).isLessThan(calls);
        assertThat(server.requests()).hasSize(calls);
    }

    @Test
    void anAnswerIsWholeBeforeItsConnectionEnds() throws InterruptedException {
        server.play(words("a", "END").thenHang());
        assertThat(ask(http(ONCE)).text()).isEqualTo("a");
        server.awaitClosedByClient();
    }

    @Test
    void thePathIsAddedAndTheHeadersAreSent() {
        server.play(words("END"));
        ask(ModelHttp.builder(BaseUrl.of(server.url() + "/v1?tenant=7"))
                .header("X-Team", "blue")
                .key(ApiKey.of("sk-1"), "X-Key", "Key ")
                .settings(ONCE)
                .build());
        var request = server.requests().getFirst();
        assertThat(request.target()).isEqualTo("/v1/ask?tenant=7");
        assertThat(request.headers()).containsEntry("x-team", "blue")
                .containsEntry("x-key", "Key sk-1")
                .containsEntry("content-type", "application/json")
                .doesNotContainKey("upgrade");
        assertThat(request.body()).isEqualTo("{\"q\":\"żółć\"}");
    }

    /** A text is cut after 400 characters, which may be inside a key. */
    @Test
    void noTextOfAProviderShowsAKeyOrAPartOfIt() {
        String secret = "sk-verysecret-123";
        ModelHttp http = ModelHttp.builder(BaseUrl.of(server.url() + "/v1"))
                .key(ApiKey.of(secret), "Authorization", "Bearer ")
                .header("X-Api-Key", "other/secret=")
                .header("X-Version", "2023-06-01")
                .settings(ONCE)
                .build();
        for (WireAnswer answer : List.of(WireAnswer.of(401, "text/plain", "x".repeat(390) + " " + secret),
                WireAnswer.of(400, "application/json",
                        "{\"error\":{\"message\":\"no \\u0073k-verysecret-123\"}}"),
                WireAnswer.of(400, "application/json", "{\"error\":\"not other\\/secret= \"}"),
                WireAnswer.of(502, "text/html", "<title>" + "x".repeat(195) + secret + "</title>"),
                WireAnswer.stream(List.of("data: {\"error\":\"" + secret + "\"}\n\n")),
                WireAnswer.of(200, "text/plain", "invalid key " + secret))) {
            server.play(answer);
            assertThatThrownBy(() -> ask(http)).isInstanceOf(ModelException.class)
                    .hasMessageNotContaining("sk-very")
                    .hasMessageNotContaining("sk-v")
                    .hasMessageNotContaining("secret=");
        }
        server.play(words("a key " + secret + " of 2023-06-01", "END"));
        assertThat(ask(http).text()).isEqualTo("a key (secret not shown) of 2023-06-01");
        server.play(WireAnswer.json("{\"whole\":\"" + secret + "\"}"));
        assertThat(ask(http).text()).isEqualTo("(secret not shown)");
    }

    @Test
    void streamsAreKnownByTheirFirstByte() {
        server.play(WireAnswer.of(200, "text/plain", "\n\n: hello\ndata: a\n\ndata: END\n\n"));
        assertThat(ask(http(ONCE)).text()).isEqualTo("a");
        server.play(WireAnswer.of(200, "application/octet-stream", " {\"whole\":\"b\"}"));
        assertThat(ask(http(ONCE)).text()).isEqualTo("b");
    }

    @Test
    void withoutRetriesAPassingFaultIsThrownAtOnce() {
        server.play(WireAnswer.of(503, "text/plain", "busy"));
        assertThatThrownBy(() -> ask(http(HttpSettings.DEFAULT).withoutRetries()))
                .isInstanceOf(ModelException.class);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void anErrorUnderASuccessIsAnError() {
        server.play(WireAnswer.json("{\"error\":{\"message\":\"zebra\",\"code\":429}}"));
        assertThat(failure(ONCE).kind()).isEqualTo(Kind.RATE_LIMITED);
    }

    @Test
    void badPackingIsSaid() {
        server.play(words("a", "END").header("Content-Encoding", "gzip"));
        assertThat(failure(ONCE)).hasMessageContaining("gzip")
                .extracting(ModelException::kind)
                .isEqualTo(Kind.PROTOCOL);
        server.play(words("a", "END").header("Content-Encoding", "br"));
        assertThat(failure(ONCE)).hasMessageContaining("\"br\"");
    }

    @Test
    void aPackedAnswerCutShortIsSaid() {
        server.play(WireAnswer.stream(List.of("data: a\n\n", "")).gzip().cut(20).thenDrop());
        assertThat(failure(ONCE).kind()).isIn(Kind.CONNECTION, Kind.PROTOCOL);
    }

    @Test
    void anEndlessAnswerEndsAtABound() {
        HttpSettings small = ONCE.withLargestAnswer(100);
        String word = "data: " + "a".repeat(22) + "\n\n"; // 30 bytes
        for (WireAnswer answer : List.of(WireAnswer.stream(List.of(word, word, word, word, word)),
                WireAnswer.stream(List.of(word, ": nothing\n", ": nothing\n", ": nothing\n".repeat(20))),
                WireAnswer.stream(List.of(word, "data: " + "b".repeat(500) + "\n\n")).gzip())) {
            server.play(answer.thenHang());
            ModelException failure = failure(small);
            assertThat(failure.kind()).isEqualTo(Kind.PROTOCOL);
            assertThat(failure).hasMessageContaining("sent more than 100 bytes in one answer")
                    .hasMessageContaining("HttpSettings.withLargestAnswer");
        }
        server.play(WireAnswer.json("{\"whole\":\"" + "c".repeat(200) + "\"}"));
        assertThat(failure(small)).hasMessageContaining("more than 100 bytes");
        server.play(words("a".repeat(80), "END"));
        assertThat(ask(http(small.withLargestAnswer(101))).text()).hasSize(80);
    }

    @Test
    void whatCameBeforeTheBoundIsKept() {
        server.play(words("one", "two", "x".repeat(200)).thenHang());
        assertThat(failure(ONCE.withLargestAnswer(100)).partial().orElseThrow().text()).startsWith("one");
    }

    @Test
    void aBoundMustBePositive() {
        assertThatThrownBy(() -> HttpSettings.DEFAULT.withLargestAnswer(0))
                .hasMessage("largestAnswer must be at least 1 byte, found 0");
        assertThat(HttpSettings.DEFAULT.largestAnswer()).isEqualTo(256L * 1024 * 1024);
    }

    @Test
    void whatIsNotJsonIsSaid() {
        server.play(WireAnswer.json("{\"whole\":"));
        assertThat(failure(ONCE).kind()).isEqualTo(Kind.PROTOCOL);
    }

    @Test
    void noConnectionInTimeIsSaid() throws IOException {
        List<Socket> waiting = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            fill(full, waiting);
            HttpSettings hasty = ONCE.withTimeouts(HttpTimeouts.DEFAULT.withConnect(Duration.ofMillis(200)));
            ModelHttp http = ModelHttp.builder(BaseUrl.of("http://127.0.0.1:" + full.getLocalPort()))
                    .settings(hasty)
                    .build();
            ModelException failure = catchThrowableOfType(ModelException.class, () -> ask(http));
            assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
            assertThat(failure).hasMessageContaining("no connection").hasMessageContaining("200 ms");
        } finally {
            for (Socket socket : waiting) {
                socket.close();
            }
        }
    }

    /** A server that accepts nothing has room for a few; then connections hang. */
    private static void fill(ServerSocket full, List<Socket> waiting) throws IOException {
        while (true) {
            Socket socket = new Socket();
            waiting.add(socket);
            try {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), full.getLocalPort()),
                        200);
            } catch (SocketTimeoutException e) {
                return;
            }
        }
    }

    @Test
    void aHostThatDoesNotExistIsNamed() {
        ModelHttp http = ModelHttp.builder(BaseUrl.of("http://no-such-host.invalid/v1"))
                .settings(ONCE)
                .notice(new OutsideNotice(said -> {}, said -> {}))
                .build();
        ModelException failure = catchThrowableOfType(ModelException.class, () -> ask(http));
        assertThat(failure.kind()).isEqualTo(Kind.CONNECTION);
        assertThat(failure).hasMessageContaining("\"no-such-host.invalid\"");
    }

    @Test
    void aRequestGoingOutsideIsSaidBeforeItIsSent() {
        List<String> said = new ArrayList<>();
        ModelHttp http = ModelHttp.builder(BaseUrl.of("http://no-such-host.invalid/v1"))
                .settings(ONCE)
                .notice(new OutsideNotice(said::add, said::add))
                .build();
        assertThat(said).isEmpty();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> ask(http)).isInstanceOf(ModelException.class);
            assertThat(said).hasSize(1);
        }
    }

    @Test
    void documentsAreFetched() {
        server.play(WireAnswer.json("{\"data\":[]}").gzip());
        assertThat(http(ONCE).get("/models")).isEqualTo(Json.of("{\"data\":[]}"));
        assertThat(server.requests().getFirst().method()).isEqualTo("GET");
        server.play(WireAnswer.of(200, "text/html", "<html>hello"));
        assertThat(catchThrowableOfType(ModelException.class, () -> http(ONCE).get("/models")))
                .hasMessageContaining("web page");
    }

    @Test
    void aByteOrderMarkInFrontOfAnyBodyIsPassedOver() {
        String mark = "\uFEFF";
        server.play(WireAnswer.json(mark + "{\"whole\":\"a\"}"));
        assertThat(ask(http(ONCE)).text()).isEqualTo("a");
        server.play(words("b", "END"));
        server.play(WireAnswer.stream(List.of(mark + "data: c\n\n", "data: END\n\n")).cut(1));
        assertThat(ask(http(ONCE)).text()).isEqualTo("b");
        assertThat(ask(http(ONCE)).text()).isEqualTo("c");
        server.play(WireAnswer.of(400, "application/json", mark + "{\"error\":{\"message\":\"zebra\"}}"));
        assertThat(failure(ONCE)).hasMessageContaining(": \"zebra\"");
        server.play(WireAnswer.json(mark + "{\"data\":[]}").gzip());
        assertThat(http(ONCE).get("/models")).isEqualTo(Json.of("{\"data\":[]}"));
    }

    @Test
    void aRequestThatCameTooLateIsSentAgain() {
        server.play(WireAnswer.of(408, "application/json", "{\"error\":\"timed out\"}"));
        server.play(words("a", "END"));
        HttpSettings patient = HttpSettings.DEFAULT
                .withSurroundings(Surroundings.system().withSleeper(wait -> {}));
        assertThat(ask(http(patient)).text()).isEqualTo("a");
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void anAnswerThatPausesGoesOnWithTheNextRequest() {
        server.play(words("one ", "PAUSE").thenHang());
        server.play(words("two", "END"));
        assertThat(ask(http(ONCE)).text()).isEqualTo("one two");
        assertThat(server.requests().get(1).body()).isEqualTo("{\"more\":true}");
        server.play(words("one ", "PAUSE"));
        server.play(WireAnswer.of(529, "text/plain", "busy"));
        assertThat(failure(HttpSettings.DEFAULT).partial().orElseThrow().text()).isEqualTo("one ");
        assertThat(server.requests()).as("what was told is not asked again").hasSize(4);
    }

    private ModelException failure(HttpSettings settings) {
        ModelException failure = catchThrowableOfType(ModelException.class, () -> ask(http(settings)));
        assertThat(failure).isNotNull();
        return failure;
    }

    private ModelHttp http(HttpSettings settings) {
        return ModelHttp.builder(BaseUrl.of(server.url().toString())).settings(settings).build();
    }

    private static WireAnswer words(String... words) {
        return WireAnswer.stream(List.of(words).stream().map(word -> "data: " + word + "\n\n").toList());
    }

    private static ModelResponse ask(ModelHttp http) {
        WireRequest request = new WireRequest("/ask", Json.of("{\"q\":\"żółć\"}"), "tiny", false);
        return http.ask(request, Words::new, ModelListener.silent());
    }

    private static final class Words implements AnswerReader {

        @Override
        public void event(ServerEvent event, ArrivingAnswer answer) {
            if (!answer.isStarted()) {
                answer.tell(new Started("tiny", ""));
            }
            if (event.data().equals("PAUSE")) {
                answer.goOnWith(new WireRequest("/ask", Json.of("{\"more\":true}"), "tiny", false));
                return;
            }
            answer.tell(event.data().equals("END")
                    ? new Finished(FinishReason.STOP, null)
                    : new TextDelta(event.data()));
        }

        @Override
        public void whole(Json body, ArrivingAnswer answer) {
            body.get("whole").ifPresent(words -> {
                event(new ServerEvent("message", words.asString()), answer);
                event(new ServerEvent("message", "END"), answer);
            });
        }
    }
}
