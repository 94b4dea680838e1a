package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.Generation;
import dev.belay.model.Generation.Effort;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.toolset.Answer;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract P.2, P.1: model, variant, generation and context of builder, session and turn; the nearer one wins. */
class SettingsTest {

    private static final Generation NONE = Generation.PROVIDER_DECIDES;
    private static final TurnSettings BIG = TurnSettings.NONE.withModel("big");

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    /** Says who it is and how it was asked: temperature, seed, effort. */
    static Model telling(String name) {
        return model(request -> text(name + how(request.generation())));
    }

    static String how(Generation generation) {
        var said = new StringBuilder();
        generation.temperature().ifPresent(value -> said.append(" t").append(value));
        generation.seed().ifPresent(value -> said.append(" s").append(value));
        generation.effort().ifPresent(value -> said.append(' ').append(value));
        return said.toString();
    }

    /** Two models and two variants over a generation. */
    private Belay belay() {
        return bench.open(telling("small"), builder -> builder.model("big", telling("big"))
                .generation(NONE.withTemperature(0.5).withSeed(1))
                .variant("deep", NONE.withEffort(Effort.HIGH).withSeed(2))
                .variant("warm", NONE.withTemperature(1.5)));
    }

    @Test
    void aVariantStandsOverTheGenerationBelowItFieldByField() throws Exception {
        Session session = belay().session("s");
        assertThat(session.turn("?").run().ended().text()).isEqualTo("small t0.5 s1");
        assertThat(session.turn("?").variant("deep").run().ended().text()).isEqualTo("small t0.5 s2 HIGH");
        assertThat(session.turn("?").variant("deep").generation(NONE.withSeed(3)).run().ended().text())
                .as("what the same level sets itself stands over its variant")
                .isEqualTo("small t0.5 s3 HIGH");
    }

    @Test
    void theTurnStandsOverTheSessionAndTheSessionOverTheRuntime() throws Exception {
        Session session = belay().session("s");
        session.config().set(BIG.withGeneration(NONE.withSeed(7)));
        assertThat(session.turn("?").run().ended().text()).isEqualTo("big t0.5 s7");
        assertThat(session.turn("?").generation(NONE.withTemperature(1)).run().ended().text())
                .isEqualTo("big t1.0 s7");
        assertThat(session.turn("?").model("default").run().ended().text()).isEqualTo("small t0.5 s7");
        assertThat(session.turn("?").run().ended().text()).as("for one turn alone").isEqualTo("big t0.5 s7");
    }

    @Test
    void theVariantOfANearerLevelReplacesTheOtherAndDefaultTakesItBack() throws Exception {
        Session session = belay().session("s");
        session.config().set(TurnSettings.NONE.withVariant("deep").withGeneration(NONE.withTemperature(1)));
        assertThat(session.turn("?").run().ended().text()).isEqualTo("small t1.0 s2 HIGH");
        assertThat(session.turn("?").variant("warm").run().ended().text())
                .as("over what the session sets, without what its variant sets")
                .isEqualTo("small t1.5 s1");
        assertThat(session.turn("?").variant("default").run().ended().text()).isEqualTo("small t1.0 s1");
    }

    @Test
    void whatASessionSetsCountsForItAlone() throws Exception {
        Belay belay = belay();
        belay.session("s").config().set(BIG);
        assertThat(belay.session("s").turn("?").run().ended().text()).startsWith("big");
        assertThat(belay.session("other").turn("?").run().ended().text()).startsWith("small");
        assertThat(belay.session("other").config().get()).isEqualTo(TurnSettings.NONE);
    }

    @Test
    void aCommandGivenInARunningTurnCountsFromItsNextQuestion() throws Exception {
        var session = new AtomicReference<Session>();
        var tools = StaticToolProvider.builder().raw(tool("grow", ToolEffect.READ), (arguments, context) -> {
            session.get().config().set(BIG);
            return "grown";
        }).build();
        Belay belay = bench.open(model(request -> calls(List.of(call("a", "grow")))),
                builder -> builder.model("big", telling("big")).tools(tools));
        session.set(belay.session("s"));
        assertThat(session.get().turn("?").run().ended().text()).isEqualTo("big");
        assertThat(belay.session("s").head().orElseThrow().state().get("settings").orElseThrow().text())
                .as("part of the commit")
                .isEqualTo("{\"model\":\"big\"}");
    }

    @Test
    void aCommandThatComesTooLateForATurnWaitsForTheNext() throws Exception {
        var asked = new CountDownLatch(1);
        var mayAnswer = new CountDownLatch(1);
        Belay belay = bench.open(model(request -> {
            asked.countDown();
            try {
                mayAnswer.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return text("small");
        }), builder -> builder.model("big", telling("big")));
        InputHandle first = belay.session("s").turn("?").submit();
        asked.await();
        belay.session("s").config().set(BIG);
        assertThat(belay.session("s").config().get()).as("known at once").isEqualTo(BIG);
        mayAnswer.countDown();
        assertThat(first.awaitCommit().text()).isEqualTo("small");
        assertThat(belay.session("s").head().orElseThrow().state().isNull()).isTrue();
        assertThat(belay.session("s").turn("?").run().ended().text()).isEqualTo("big");
    }

    @Test
    void aCommandIsGivenOnceHoweverOftenItIsSaid() throws Exception {
        Session session = belay().session("s");
        session.config().set(BIG, "c1");
        session.turn("?").run();
        session.config().set(TurnSettings.NONE, "c2");
        session.config().set(BIG, "c1");
        assertThat(session.turn("?").run().ended().text()).as("the first one was not given again")
                .startsWith("small");
        assertThatThrownBy(() -> session.config().set(BIG.withVariant("deep"), "c1")).extracting("code")
                .isEqualTo("input_conflict");
    }

    @Test
    void aChangeIsDecidedAgainIfAnotherCameFirst() {
        Session session = belay().session("s");
        var decided = new AtomicInteger();
        session.config().change(now -> {
            if (decided.incrementAndGet() == 1) {
                session.config().change(other -> other.withVariant("deep"));
            }
            return now.withModel("big");
        });
        assertThat(decided).hasValue(2);
        assertThat(session.config().get()).isEqualTo(BIG.withVariant("deep"));
    }

    @Test
    void settingsStandBesideWhatWasDecidedAboutTools() throws Exception {
        var look = StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.READ), (arguments, context) -> "")
                .build();
        Belay belay = bench.open(model(request -> text("small offers " + request.tools().size())),
                builder -> builder.tools(look)
                        .model("big", model(request -> text("big offers " + request.tools().size()))));
        Session session = belay.session("s");
        session.config().set(BIG);
        assertThat(session.turn("?").run().ended().text()).isEqualTo("big offers 1");
        session.tools().setMembership(List.of("look"), false);
        assertThat(session.turn("?").run().ended().text()).isEqualTo("big offers 0");
        assertThat(session.turn("?").run().ended().text()).as("still").isEqualTo("big offers 0");
        session.config().set(TurnSettings.NONE);
        assertThat(session.tools().catalog().names()).isEmpty();
        assertThat(session.turn("?").run().ended().text()).isEqualTo("small offers 0");
        assertThat(session.turn("?").run().ended().text()).isEqualTo("small offers 0");
    }

    @Test
    void settingsAreThereAfterARestart() throws Exception {
        Belay one = belay();
        one.session("s").config().set(BIG.withMaxContextTokens(5_000));
        one.close();
        Belay two = belay();
        assertThat(two.session("s").turn("?").run().ended().text()).startsWith("big");
        two.close();
        Belay three = belay();
        assertThat(three.session("s").turn("?").run().ended().text()).as("kept with the turn")
                .startsWith("big");
        assertThat(three.session("s").config().get()).isEqualTo(BIG.withMaxContextTokens(5_000));
    }

    @Test
    void forksAndExportsCarryTheSettingsOfTheirTurn() throws Exception {
        Belay belay = belay();
        Session session = belay.session("s");
        session.turn("?").run();
        session.config().set(BIG.withVariant("deep"));
        session.turn("?").run();
        assertThat(session.fork("later", 2).turn("?").run().ended().text()).isEqualTo("big t0.5 s2 HIGH");
        assertThat(session.fork("earlier", 1).turn("?").run().ended().text()).isEqualTo("small t0.5 s1");
        var out = new StringBuilder();
        session.export(out);
        Session copy = belay.importSession(new StringReader(out.toString()), "copy");
        assertThat(copy.config().get()).isEqualTo(BIG.withVariant("deep"));
        assertThat(copy.turn("?").run().ended().text()).isEqualTo("big t0.5 s2 HIGH");
    }

    @Test
    void aSessionWithoutSettingsKeepsNothingOfThem() throws Exception {
        Session session = belay().session("s");
        session.turn("?").id("in").variant("deep").run();
        assertThat(session.head().orElseThrow().state().isNull()).isTrue();
        session.turn("?").run();
        assertThat(bench.record("s", 2, "round/1").get("asked").orElseThrow().fields().keySet())
                .containsExactly("model", "generation", "offered", "request");
        assertThat(bench.record("s", 1, "round/1")
                .get("asked")
                .orElseThrow()
                .get("variant")
                .orElseThrow()
                .asString()).isEqualTo("deep");
    }

    @Test
    void settingsOfAnInputThatJoinsAreThoseOfTheTurnItJoins() throws Exception {
        List<TurnResult.Ended> joined = new ArrayList<>();
        var session = new AtomicReference<Session>();
        var tools = StaticToolProvider.builder().raw(tool("look", ToolEffect.READ), (arguments, context) -> {
            session.get().turn("more").id("more").model("big").variant("deep").maxContextTokens(1).submit();
            return "seen";
        }).build();
        Belay belay = bench.open(model(request -> SessionBench.roundsSinceUser(request) == 0
                && request.messages().size() == 1
                        ? calls(List.of(call("a", "look")))
                        : text("small" + how(request.generation()))),
                builder -> builder.model("big", telling("big"))
                        .variant("deep", NONE.withSeed(2))
                        .tools(tools));
        session.set(belay.session("s"));
        joined.add(session.get().turn("?").id("in").run().ended());
        joined.add(session.get().input("more").orElseThrow().awaitCommit());
        assertThat(joined).extracting(TurnResult.Ended::text).containsExactly("small", "small");
        assertThat(joined).extracting(TurnResult.Ended::turn).containsExactly(1L, 1L);
    }

    @Test
    void anOpenTurnIsAskedAsSessionAndRuntimeSayAsFarAsItDoesNotSayOtherwise() throws Exception {
        Belay belay = belay();
        belay.session("s").config().set(BIG.withVariant("deep"));
        try (OpenTurn turn = belay.session("s").begin("?", "in")) {
            assertThat(turn.step().answer()).isEqualTo(new Answer.Given<>("big t0.5 s2 HIGH"));
            assertThat(turn.step().generation(NONE.withTemperature(2)).answer())
                    .isEqualTo(new Answer.Given<>("big t2.0 s2 HIGH"));
        }
        assertThat(belay.session("s").config().get()).isEqualTo(BIG.withVariant("deep"));
        assertThat(belay.session("s").turn("?").run().ended().text()).isEqualTo("big t0.5 s2 HIGH");
    }
}
