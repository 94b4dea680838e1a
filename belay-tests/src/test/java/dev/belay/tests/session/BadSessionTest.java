package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.model.Message;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.InputHandle;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions in the hands of people and models who do what nobody expects. */
class BadSessionTest {

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void namesWithOddCharactersAreNames() throws Exception {
        Belay belay = bench.open(model(request -> text("yes")), UnaryOperator.identity());
        for (String name : List.of("a/b", "'; drop table session; --", "%", "_", "\uD83D\uDE00", " ",
                "ä".repeat(200),
                "../../etc", "{}", "turn/1")) {
            assertThat(belay.session(name).turn("?").run().turn()).as(name).isEqualTo(1);
            assertThat(belay.session(name).messages()).as(name).hasSize(2);
        }
    }

    @Test
    void namesThatCannotBeKeptAreRefusedWithWords() {
        Belay belay = bench.open(model(request -> text("yes")), UnaryOperator.identity());
        for (String name : List.of("", "a\nb", "x".repeat(201), "\uD83D")) {
            assertThatThrownBy(() -> belay.session(name)).as(name)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a session id has");
        }
    }

    @Test
    void aThousandCallsInOneMessageAllGetTheirReply() throws Exception {
        var runs = new AtomicInteger();
        var tools = StaticToolProvider.builder().raw(tool("look", ToolEffect.READ), (arguments, context) -> {
            runs.incrementAndGet();
            return "seen";
        }).build();
        List<CallPart> thousand = IntStream.range(0, 1_100).mapToObj(i -> call("c" + i, "look")).toList();
        Belay belay = bench.open(model(request -> SessionBench.roundsSinceUser(request) == 0
                ? calls(thousand)
                : text("done")), builder -> builder.tools(tools));
        assertThat(belay.session("s").turn("?").run().ended().text()).isEqualTo("done");
        assertThat(runs).hasValue(1_024);
        assertThat(((Message.ToolMessage) belay.session("s").messages().get(2)).replies()).hasSize(1_100)
                .last()
                .satisfies(reply -> assertThat(reply.text()).startsWith("Error (too_many_calls)"));
    }

    @Test
    void tenThousandInputsAtOnceBecomeTwoTurns() throws Exception {
        var go = new java.util.concurrent.CountDownLatch(1);
        Belay belay = bench.open(model(request -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return text("heard " + request.messages().size());
        }), UnaryOperator.identity());
        belay.session("s").turn("0").submit();
        for (int i = 1; i < 10_000; i++) {
            belay.session("s").turn("input " + i).submit();
        }
        InputHandle last = belay.session("s").turn("the last").submit();
        go.countDown();
        assertThat(last.awaitCommit().text()).isEqualTo("heard 10002");
        assertThat(belay.session("s").head().orElseThrow().revision()).isEqualTo(2);
    }

    @Test
    void aSessionThatIsDeletedWhileParkedIsGoneWithItsKeys() throws Exception {
        var tokens = new LinkedBlockingQueue<String>();
        var tools = SessionBench.asking(tokens, ToolEffect.IDEMPOTENT);
        Belay belay = bench.open(model(request -> SessionBench.roundsSinceUser(request) == 0
                ? calls(List.of(call("a", "ask")))
                : text("answered")), builder -> builder.tools(tools).parkAfter(Duration.ZERO));
        InputHandle handle = belay.session("s").turn("?").submit();
        String token = tokens.take();
        assertThat(belay.session("s").delete()).isEqualTo(VerbResult.DONE);
        assertThat(belay.session("s").delete()).isEqualTo(VerbResult.ALREADY);
        assertThat(belay.resolve(token, new Resolution.Cancelled("late")))
                .isInstanceOf(Delivery.Unknown.class);
        assertThatThrownBy(handle::result).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("unknown_input"));
        belay.session("s").turn("anew").submit();
        assertThat(belay.session("s").head().orElseThrow().active()).isEqualTo(1);
        assertThat(belay.resolve(token, new Resolution.Cancelled("late")))
                .isInstanceOf(Delivery.Unknown.class);
    }

    @Test
    void aSessionThatItsOwnToolDeletesWritesNothingMore() throws Exception {
        var belays = new Belay[1];
        var tools = StaticToolProvider.builder()
                .raw(tool("vanish", ToolEffect.READ), (arguments, context) -> {
                    belays[0].session("s").delete();
                    return "gone";
                })
                .build();
        Belay belay = bench.open(model(request -> calls(List.of(call("a", "vanish")))),
                builder -> builder.tools(tools));
        belays[0] = belay;
        InputHandle handle = belay.session("s").turn("?").submit();
        assertThatThrownBy(handle::awaitCommit).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("unknown_input"));
        assertThat(belay.session("s").head()).isEmpty();
    }

    @Test
    void aModelThatRepeatsOneCallForEverIsStopped() throws Exception {
        Belay belay = bench.open(model(request -> calls(List.of(call("same", "look")))),
                builder -> builder.tools(StaticToolProvider.builder()
                        .raw(tool("look", ToolEffect.READ), (arguments, context) -> "again")
                        .build()));
        assertThat(belay.session("s").turn("?").run().ended().rounds()).isEqualTo(50);
        assertThat(belay.session("s").messages()).hasSize(101);
    }

    @Test
    void anInputWithoutAnIdIsNewEachTime() throws Exception {
        Belay belay = bench.open(model(request -> text("yes")), UnaryOperator.identity());
        belay.session("s").turn("the same").run();
        assertThat(belay.session("s").turn("the same").run().turn()).isEqualTo(2);
    }
}
