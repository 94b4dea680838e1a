package dev.belay.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelException;
import dev.belay.model.ModelException.Kind;
import dev.belay.model.ModelRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Checks the exceptions of calls without an answer, and the retries. Contract: S (retry jitter constant). */
abstract class FailureChecks extends RequestChecks {

    private static final String PAGE = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>…</body></html>";

    FailureChecks() {}

    @Test
    void everyFailureHasItsKindAndSaysWhatTheProviderSaid() {
        Map<ModelFixture.Failure, Kind> kinds = Map.of(ModelFixture.Failure.WRONG_KEY, Kind.AUTHENTICATION,
                ModelFixture.Failure.FORBIDDEN, Kind.PERMISSION, ModelFixture.Failure.UNKNOWN_MODEL,
                Kind.UNKNOWN_MODEL,
                ModelFixture.Failure.CONTEXT_TOO_LONG, Kind.CONTEXT_TOO_LONG, ModelFixture.Failure.NO_TOOLS,
                Kind.TOOLS_UNSUPPORTED, ModelFixture.Failure.INVALID, Kind.INVALID_REQUEST,
                ModelFixture.Failure.RATE_LIMITED, Kind.RATE_LIMITED, ModelFixture.Failure.OVERLOADED,
                Kind.UNAVAILABLE);
        for (ModelFixture.Failure failure : ModelFixture.Failure.values()) {
            server.play(fixture().failure(failure, "zebra"));
            ModelException heard = failureOf(model(), withTools());
            assertThat(heard.kind()).as("%s", failure).isEqualTo(kinds.get(failure));
            assertThat(heard).as("%s", failure).hasMessageContaining("zebra");
            assertThat(heard.partial()).isEmpty();
        }
    }

    @Test
    void anUnknownModelIsNamed() {
        server.play(fixture().failure(ModelFixture.Failure.UNKNOWN_MODEL, "zebra"));
        assertThat(failureOf(model())).hasMessageContaining(ClientSetup.MODEL);
    }

    @Test
    void theKeyIsInNoMessage() {
        for (ModelFixture.Failure failure : ModelFixture.Failure.values()) {
            server.play(fixture().failure(failure, "the key " + ClientSetup.KEY + " is bad"));
            ModelException heard = failureOf(model(), withTools());
            for (Throwable at = heard; at != null; at = at.getCause()) {
                assertThat(at.toString()).doesNotContain(ClientSetup.KEY);
            }
        }
    }

    @Test
    void aWebPageIsNoAnswer() {
        server.play(WireAnswer.of(200, "text/html", PAGE));
        assertThat(failureOf(model())).hasMessageContaining("web page")
                .hasMessageContaining("Sign in")
                .hasMessageContaining("base URL")
                .extracting(ModelException.class::cast)
                .extracting(ModelException::kind)
                .isEqualTo(Kind.PROTOCOL);
        server.play(WireAnswer.of(404, "text/html", PAGE));
        assertThat(failureOf(model()).kind()).isEqualTo(Kind.INVALID_REQUEST);
        server.play(WireAnswer.of(502, "text/html", PAGE));
        assertThat(failureOf(model()).kind()).isEqualTo(Kind.UNAVAILABLE);
    }

    @Test
    void aRedirectIsNotFollowed() {
        server.play(WireAnswer.of(307, "text/plain", "").header("Location", server.url() + "/elsewhere"));
        assertThat(failureOf(model())).hasMessageContaining("/elsewhere");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void noServerIsSaid() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        List<Duration> waits = new ArrayList<>();
        ClientSetup setup = ClientSetup.of(URI.create("http://127.0.0.1:" + port))
                .withAttempts(3, waits::add);
        ModelException failure = failureOf(fixture().model(setup));
        assertThat(failure.kind()).isEqualTo(Kind.CONNECTION);
        assertThat(failure).hasMessageContaining("no server").hasMessageContaining("127.0.0.1:" + port);
        assertThat(waits).as("a local server does not appear by waiting").isEmpty();
    }

    @Test
    void aBusyProviderIsAskedAgainWhenItWantsToBe() {
        server.play(fixture().failure(ModelFixture.Failure.RATE_LIMITED, "busy").header("Retry-After", "7"));
        server.play(fixture().failure(ModelFixture.Failure.OVERLOADED, "busy"));
        server.play(words("at last"));
        List<Duration> waits = new ArrayList<>();
        Heard heard = ask(fixture().model(setup().withAttempts(3, waits::add)), QUESTION);
        assertThat(heard.response().text()).isEqualTo("at last");
        assertThat(texts(heard.events())).containsExactly("at last");
        assertThat(server.requests()).hasSize(3);
        assertThat(server.requests().stream().map(SeenRequest::body).distinct()).hasSize(1);
        assertThat(waits).hasSize(2);
        assertThat(waits.getFirst()).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(8));
        assertThat(waits.getLast()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(5));
    }

    @Test
    void withoutRetriesABusyProviderIsAskedOnce() {
        server.play(fixture().failure(ModelFixture.Failure.OVERLOADED, "busy"));
        List<Duration> waits = new ArrayList<>();
        assertThat(failureOf(fixture().model(setup().withAttempts(3, waits::add)).withoutRetries()).kind())
                .isEqualTo(Kind.UNAVAILABLE);
        assertThat(server.requests()).hasSize(1);
        assertThat(waits).isEmpty();
    }

    @Test
    void aProviderThatWantsALongPauseIsLeftToTheCaller() {
        server.play(
                fixture().failure(ModelFixture.Failure.RATE_LIMITED, "busy").header("Retry-After", "3600"));
        List<Duration> waits = new ArrayList<>();
        ModelException failure = failureOf(fixture().model(setup().withAttempts(3, waits::add)));
        assertThat(failure.retryAfter()).contains(Duration.ofHours(1));
        assertThat(waits).isEmpty();
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void attemptsComeToAnEnd() {
        for (int i = 0; i < 3; i++) {
            server.play(fixture().failure(ModelFixture.Failure.OVERLOADED, "busy"));
        }
        List<Duration> waits = new ArrayList<>();
        assertThat(failureOf(fixture().model(setup().withAttempts(3, waits::add))).kind())
                .isEqualTo(Kind.UNAVAILABLE);
        assertThat(server.requests()).hasSize(3);
        assertThat(waits).hasSize(2);
    }

    @Test
    void whatCannotPassIsNotTriedAgain() {
        for (ModelFixture.Failure failure : List.of(ModelFixture.Failure.WRONG_KEY,
                ModelFixture.Failure.UNKNOWN_MODEL,
                ModelFixture.Failure.CONTEXT_TOO_LONG, ModelFixture.Failure.INVALID)) {
            server.play(fixture().failure(failure, "no"));
            int before = server.requests().size();
            failureOf(fixture().model(setup().withAttempts(3, wait -> {})));
            assertThat(server.requests()).hasSize(before + 1);
        }
    }

    @Test
    void aConnectionLostBeforeTheAnswerIsTriedAgain() {
        server.play(WireAnswer.reset());
        server.play(words("here"));
        assertThat(ask(fixture().model(setup().withAttempts(2, wait -> {})), QUESTION).response().text())
                .isEqualTo("here");
    }

    @Test
    void whatTheListenerHeardIsNotAskedAgain() {
        // a reset overtakes bytes on their way, so the server waits until the client has them
        CountDownLatch heard = new CountDownLatch(1);
        server.play(
                WireAnswer.stream(fixture().stream(begun("Half ", "of"))).pauseBeforeEnd(heard).thenDrop());
        ModelException failure = catchThrowableOfType(ModelException.class,
                () -> fixture().model(setup().withAttempts(3, wait -> {})).complete(QUESTION, event -> {
                    if (event instanceof TextDelta(String chunk) && chunk.equals("of")) {
                        heard.countDown();
                    }
                }));
        assertThat(failure.kind()).isEqualTo(Kind.CONNECTION);
        assertThat(server.requests()).hasSize(1);
        assertThat(failure.partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("Half of"));
    }

    private static ModelRequest withTools() {
        return QUESTION.toBuilder().tools(List.of(WEATHER)).build();
    }
}
