package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnResult;
import dev.belay.tests.session.CrashedTurns.Play;
import dev.belay.tests.session.CrashedTurns.Scenario;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.RetryAdvice;
import dev.belay.tool.option.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Contract L, P.1, P.3, K, T.1 for whole turns: whichever write a process dies at, the turn ends as if it had not, but for calls
 * in doubt; nothing is said twice and nothing that must not be repeated is.
 */
class TurnCrashTest {

    /** One turn of the session {@code s}, started by the input {@code in}. */
    private abstract static class OneTurn implements Scenario {

        final AtomicInteger onces = new AtomicInteger();
        final Set<String> tokens = ConcurrentHashMap.newKeySet();
        private final Set<String> resolved = ConcurrentHashMap.newKeySet();
        private final AtomicReference<@Nullable Belay> process = new AtomicReference<>();

        abstract ToolProvider tools();

        @Override
        public BelayBuilder with(BelayBuilder builder) {
            process.set(null);
            resolved.clear();
            return builder.tools(tools()).parkAfter(Duration.ZERO);
        }

        @Override
        public void begin(Belay belay) {
            process.set(belay);
            belay.session("s").turn("Go.").id("in").submit();
        }

        /** The process that runs now; one that has just been opened runs turns before anybody has it in hand. */
        final Belay running() {
            Belay belay = process.get();
            while (belay == null) {
                LockSupport.parkNanos(SessionBench.A_MOMENT);
                belay = process.get();
            }
            return belay;
        }

        /** Resolves each key once in each process, and only while the turn waits: a call that never parks never ends. */
        @Override
        public TurnResult.Ended end(Belay belay) throws Exception {
            InputHandle handle = belay.session("s").input("in").orElseThrow();
            SessionBench.awaitThat("the turn waits for its keys, and ends", () -> {
                if (waits(belay)) {
                    tokens.stream()
                            .filter(resolved::add)
                            .forEach(token -> belay.resolve(token,
                                    new Resolution.Ok(Json.string("resolved"))));
                }
                return handle.result().isPresent();
            });
            return handle.awaitCommit();
        }

        private static boolean waits(Belay belay) {
            return belay.sessions(null, 9)
                    .items()
                    .stream()
                    .anyMatch(entry -> entry.state() == SessionEntry.State.WAITING);
        }

        @Override
        public String evidence(Belay belay) {
            assertThat(onces.get()).as("bodies that must not be repeated").isLessThanOrEqualTo(1);
            return "";
        }
    }

    /** All plays must end like the first. Returns how many of them have a call in doubt. */
    private static int allEndLikeTheFirst(List<Play> plays) {
        Play first = plays.getFirst();
        assertThat(plays).hasSizeGreaterThan(10);
        int doubts = 0;
        for (Play play : plays) {
            boolean doubt = !SessionBench.inDoubt(play.messages()).isEmpty();
            doubts += doubt ? 1 : 0;
            assertThat(doubt).as(play.where()).isEqualTo(leftOpen(play.written()));
            if (!doubt) {
                assertThat(play.messages()).as(play.where()).isEqualTo(first.messages());
                assertThat(play.recorded()).as(play.where()).isEqualTo(first.recorded());
                assertThat(play.result().unrecorded()).as(play.where()).isBetween(0, 1);
            }
            assertThat(play.evidence()).as(play.where()).isEqualTo(first.evidence());
        }
        return doubts;
    }

    /** A call that must not be repeated is in doubt exactly if its start was recorded and its end was not. */
    private static boolean leftOpen(List<String> written) {
        return SessionBench.leftOpen(written).contains("round/1/call/1");
    }

    @Test
    void aBatchOfEveryEffectClass() throws Exception {
        List<Play> plays = new CrashedTurns(() -> new OneTurn() {
            @Override
            public Model model() {
                return calling(List.of(call("a", "look"), call("b", "pay"), call("c", "put")),
                        List.of(call("d", "look")));
            }

            @Override
            ToolProvider tools() {
                return StaticToolProvider.builder()
                        .raw(tool("look", ToolEffect.READ), (arguments, context) -> "seen")
                        .raw(tool("put", ToolEffect.IDEMPOTENT), (arguments, context) -> "there")
                        .raw(tool("pay", ToolEffect.ONCE), (arguments, context) -> {
                            onces.incrementAndGet();
                            return "paid";
                        })
                        .build();
            }
        }).play();
        assertThat(allEndLikeTheFirst(plays)).isPositive();
    }

    @Test
    void aParkedCall() throws Exception {
        List<Play> plays = new CrashedTurns(() -> new OneTurn() {
            @Override
            public Model model() {
                return calling(List.of(call("a", "ask_boss")));
            }

            @Override
            ToolProvider tools() {
                return StaticToolProvider.builder()
                        .raw(tool("ask_boss", ToolEffect.IDEMPOTENT), (arguments, context) -> {
                            tokens.add(context.completionKey().token());
                            return ToolResult.pending();
                        })
                        .build();
            }
        }).play();
        assertThat(allEndLikeTheFirst(plays)).isZero();
        assertThatItParked(plays);
    }

    private static void assertThatItParked(List<Play> plays) {
        assertThat(plays).extracting(Play::where).anyMatch(where -> where.contains("write=park "));
    }

    @Test
    void durableSteps() throws Exception {
        List<Play> plays = new CrashedTurns(() -> new OneTurn() {
            @Override
            public Model model() {
                return calling(List.of(call("a", "order")));
            }

            @Override
            ToolProvider tools() {
                return StaticToolProvider.builder()
                        .raw(tool("order", ToolEffect.IDEMPOTENT).resumable(true), (arguments, context) -> {
                            Json first = context.durable()
                                    .run("reserve", Json.EMPTY_OBJECT, unused -> Json.string("reserved"));
                            var key = context.durable().externalEventKey("paid");
                            tokens.add(key.token());
                            Json paid = context.durable().awaitEvent(key);
                            return first.asString() + ", " + paid.asString();
                        })
                        .build();
            }
        }).play();
        assertThat(allEndLikeTheFirst(plays)).isZero();
        assertThat(plays.getFirst().result().text()).isEqualTo("done: reserved, resolved");
        assertThatItParked(plays);
    }

    @Test
    void aCallThatIsTriedAgain() throws Exception {
        List<Play> plays = new CrashedTurns(() -> new OneTurn() {
            private final AtomicInteger tries = new AtomicInteger();

            @Override
            public Model model() {
                return calling(List.of(call("a", "fetch")));
            }

            @Override
            ToolProvider tools() {
                return StaticToolProvider.builder()
                        .raw(tool("fetch", ToolEffect.READ).retry(
                                new RetryPolicy(9, Duration.ofMillis(10), 1, Duration.ofMillis(10))),
                                (arguments, context) -> {
                                    if (tries.incrementAndGet() < 3) {
                                        throw new ToolException(ToolFailure.of("not yet")
                                                .withRetry(RetryAdvice.ALLOWED));
                                    }
                                    return "fetched";
                                })
                        .build();
            }
        }).play();
        assertThat(allEndLikeTheFirst(plays)).isZero();
    }

    @Test
    void anInputThatJoins() throws Exception {
        List<Play> plays = new CrashedTurns(() -> new OneTurn() {
            @Override
            public Model model() {
                return SessionBench.model(request -> request.messages().size() == 1
                        ? SessionBench.calls(List.of(call("a", "look")))
                        : SessionBench.text("heard " + request.messages()
                                .stream()
                                .filter(Message.UserMessage.class::isInstance)
                                .map(message -> ((Message.UserMessage) message).text())
                                .toList()));
            }

            @Override
            ToolProvider tools() {
                return StaticToolProvider.builder()
                        .raw(tool("look", ToolEffect.READ), (arguments, context) -> {
                            running().session("s").turn("And this.").id("more").submit();
                            return "seen";
                        })
                        .build();
            }

            @Override
            public String evidence(Belay belay) {
                TurnResult.Ended joined = belay.session("s")
                        .input("more")
                        .orElseThrow()
                        .result()
                        .orElseThrow();
                return joined.input() + " " + joined.turn();
            }
        }).play();
        assertThat(allEndLikeTheFirst(plays)).isZero();
        assertThat(plays.getFirst().result().text()).isEqualTo("heard [Go., And this.]");
        assertThat(plays.getFirst().evidence()).isEqualTo("in 1");
    }

    @Test
    void membershipThatAToolChanges() throws Exception {
        List<Play> plays = new CrashedTurns(() -> new OneTurn() {
            @Override
            public Model model() {
                return SessionBench.model(request -> SessionBench.roundsSinceUser(request) == 0
                        ? SessionBench.calls(List.of(call("a", "grant")))
                        : SessionBench
                                .text("offered " + request.tools().stream().map(one -> one.name()).toList()));
            }

            @Override
            ToolProvider tools() {
                return StaticToolProvider.builder()
                        .raw(tool("grant", ToolEffect.READ), (arguments, context) -> {
                            ((SessionToolContext) context).sessions()
                                    .setToolMembership(List.of("hidden"), true);
                            return "granted";
                        })
                        .raw(tool("hidden", ToolEffect.READ).resident(false),
                                (arguments, context) -> "secret")
                        .build();
            }

            @Override
            public String evidence(Belay belay) {
                return String.valueOf(belay.session("s").tools().catalog().names());
            }
        }).play();
        assertThat(allEndLikeTheFirst(plays)).isZero();
        assertThat(plays.getFirst().result().text()).isEqualTo("offered [grant, hidden, search_tools]");
        assertThat(plays.getFirst().evidence()).isEqualTo("[grant, hidden]");
    }

    @Test
    void aChildSessionOfAPlainBody() throws Exception {
        child(false);
    }

    @Test
    void aChildSessionOfAResumableBody() throws Exception {
        child(true);
    }

    private static void child(boolean resumable) throws Exception {
        List<Play> plays = new CrashedTurns(() -> new OneTurn() {
            @Override
            public Model model() {
                return SessionBench.model(request -> {
                    String said = ((Message.UserMessage) request.messages().getFirst()).text();
                    if (said.equals("Think.")) {
                        return SessionBench.text("a thought");
                    }
                    return SessionBench.roundsSinceUser(request) == 0
                            ? SessionBench.calls(List.of(call("a", "delegate")))
                            : SessionBench.text("done: " + SessionBench.lastReplies(request));
                });
            }

            @Override
            ToolProvider tools() {
                return StaticToolProvider.builder()
                        .raw(tool("delegate", ToolEffect.IDEMPOTENT).resumable(resumable),
                                (arguments, context) -> ((SessionToolContext) context).sessions()
                                        .create("helper")
                                        .turn("think", "Think.")
                                        .await()
                                        .text())
                        .build();
            }
        }).play();
        assertThat(allEndLikeTheFirst(plays)).isZero();
        assertThat(plays.getFirst().result().text()).isEqualTo("done: a thought");
    }
}
