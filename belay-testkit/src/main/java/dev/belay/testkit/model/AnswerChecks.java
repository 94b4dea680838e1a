package dev.belay.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.FinishReason;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelEvent.CallArguments;
import dev.belay.model.ModelEvent.CallStarted;
import dev.belay.model.ModelEvent.Finished;
import dev.belay.model.ModelEvent.ReasoningDelta;
import dev.belay.model.ModelEvent.RefusalDelta;
import dev.belay.model.ModelEvent.Started;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelEvent.UsageReported;
import dev.belay.model.ModelException;
import dev.belay.model.ModelException.Kind;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.ResponseReducer;
import dev.belay.model.Usage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks answers on the wire: whole, cut, mixed, packed, with noise, broken. */
abstract class AnswerChecks extends WireChecks {

    private static final long SEED = 20261115;

    AnswerChecks() {}

    @Test
    void wordsArriveAsTheyAreSaid() {
        Heard heard = hear(saying("Sunny", " and ", "warm"));
        assertThat(texts(heard.events())).containsExactly("Sunny", " and ", "warm");
        ModelResponse response = heard.response();
        assertThat(response.text()).isEqualTo("Sunny and warm");
        assertThat(response.finish()).isEqualTo(FinishReason.STOP);
        assertThat(response.model()).isEqualTo(ClientSetup.MODEL);
        assertThat(response.responseId()).isEqualTo(ID);
        assertThat(response.usage()).isEqualTo(fixture().reportable(USAGE));
    }

    @Test
    void eventsReduceToTheResponse() {
        for (List<ModelEvent> events : List.of(saying("Hi"), mixed(), twelveCalls())) {
            Heard heard = hear(events);
            assertThat(ResponseReducer.reduce(heard.events())).isEqualTo(heard.response());
            assertThat(heard.events().getFirst()).isInstanceOf(Started.class);
            assertThat(heard.events().getLast()).isInstanceOf(Finished.class);
        }
    }

    @Test
    void cutAtEveryByteItIsTheSame() {
        for (List<ModelEvent> events : List.of(saying("żółć ", "🧗", " 日本語 na końcu"), mixed(),
                twelveCalls())) {
            WireAnswer whole = WireAnswer.stream(fixture().stream(events));
            Heard expected = hear(whole);
            for (int size : new int[]{1, 2, 3, 5, 64, 4096}) {
                Heard cut = hear(whole.cut(size));
                assertThat(cut.events()).as("cut into pieces of %d", size).isEqualTo(expected.events());
                assertThat(cut.response()).as("cut into pieces of %d", size).isEqualTo(expected.response());
            }
        }
    }

    @Test
    void charactersSurviveACutInTheirMiddle() {
        String text = "naïve 🧗🏽‍♀️ — 登山者 — \u0000\u2028\"\\";
        assertThat(hear(WireAnswer.stream(fixture().stream(saying(text))).cut(1)).response().text())
                .isEqualTo(text);
    }

    @Test
    void linesMayEndInAnyWay() {
        for (String end : List.of("\r\n", "\r")) {
            List<String> events = fixture().stream(saying("a", "b"))
                    .stream()
                    .map(event -> event.replace("\n", end))
                    .toList();
            assertThat(hear(WireAnswer.stream(events)).response().text()).isEqualTo("ab");
            assertThat(hear(WireAnswer.stream(events).cut(1)).response().text()).isEqualTo("ab");
        }
    }

    @Test
    void keepAlivesAreSkipped() {
        assertThat(hear(WireAnswer.stream(between(": keep-alive\n\n"))).response().text()).isEqualTo("abc");
        assertThat(hear(WireAnswer.stream(between(":\n"))).response().text()).isEqualTo("abc");
        assertThat(hear(WireAnswer.stream(between("\n\n"))).response().text()).isEqualTo("abc");
    }

    @Test
    void unknownEventsAreSkipped() {
        assertThat(hear(WireAnswer.stream(between(fixture().unknownEvent()))).response().text())
                .isEqualTo("abc");
    }

    @Test
    void theLastEmptyLineMayBeMissing() {
        List<String> events = new ArrayList<>(fixture().stream(saying("a", "b")));
        events.set(events.size() - 1, events.getLast().stripTrailing());
        assertThat(hear(WireAnswer.stream(events)).response().text()).isEqualTo("ab");
    }

    @Test
    void parallelCallsAreOrderedByNumber() {
        Heard heard = hear(twelveCalls());
        assertThat(heard.response().calls()).extracting(CallPart::id)
                .containsExactly("id-0", "id-1", "id-2", "id-3", "id-4", "id-5", "id-6", "id-7", "id-8",
                        "id-9", "id-10",
                        "id-11");
        assertThat(heard.response().calls()).allSatisfy(
                call -> assertThat(call.arguments())
                        .isEqualTo("{\"city\":\"" + call.id().substring(3) + " é\"}"));
        assertThat(heard.response().finish()).isEqualTo(FinishReason.TOOL_CALLS);
    }

    @Test
    void callsWithTheSameIdStayApart() {
        assertThat(hear(twoCalls("same", "same")).response().calls()).containsExactly(
                new CallPart("same", "weather", "{\"city\":\"a\"}"),
                new CallPart("same", "weather", "{\"city\":\"b\"}"));
    }

    @Test
    void callsWithoutIdsStayApart() {
        assertThat(hear(twoCalls("", "")).response().calls()).containsExactly(
                new CallPart("", "weather", "{\"city\":\"a\"}"),
                new CallPart("", "weather", "{\"city\":\"b\"}"));
    }

    @Test
    void argumentsAreNotRepaired() {
        Heard heard = hear(answer(FinishReason.LENGTH, new CallStarted(0, "c", "weather"),
                new CallArguments(0, "{\"city\": \"Par")));
        assertThat(heard.response().calls())
                .containsExactly(new CallPart("c", "weather", "{\"city\": \"Par"));
        assertThat(heard.response().finish()).isEqualTo(FinishReason.LENGTH);
    }

    @Test
    void reasoningIsKept() {
        needs(ModelFixture.Feature.REASONING);
        ModelResponse response = hear(mixed()).response();
        assertThat(response.message().reasoning()).isEqualTo("Paris, so Europe.");
        assertThat(response.text()).isEqualTo("Let me look.");
    }

    @Test
    void aRefusalIsKept() {
        needs(ModelFixture.Feature.REFUSAL_TEXT);
        ModelResponse response = hear(
                answer(FinishReason.STOP, new RefusalDelta("I will "), new RefusalDelta("not."))).response();
        assertThat(response.refusal()).contains("I will not.");
        assertThat(response.finish()).isEqualTo(FinishReason.REFUSAL);
    }

    @Test
    void usageIsReportedInAllItsParts() {
        Usage full = Usage.of(1000, 500).withCacheRead(600).withCacheWrite(200).withReasoning(300);
        List<ModelEvent> events = List.of(new Started(ClientSetup.MODEL, ID), new TextDelta("x"),
                new UsageReported(full),
                new Finished(FinishReason.STOP, null));
        assertThat(hear(events).response().usage()).isEqualTo(fixture().reportable(full));
        assertThat(fixture().reportable(full).input()).hasValue(1000);
    }

    @Test
    void everyReasonToStopIsUnderstood() {
        for (FinishReason reason : fixture().finishReasons()) {
            assertThat(hear(answer(reason, new TextDelta("x"))).response().finish()).isEqualTo(reason);
        }
    }

    @Test
    void packedAnswersAreUnpacked() {
        WireAnswer answer = WireAnswer.stream(fixture().stream(mixed()));
        ModelResponse expected = hear(answer).response();
        assertThat(hear(answer.gzip()).response()).isEqualTo(expected);
        assertThat(hear(answer.gzip().cut(1)).response()).isEqualTo(expected);
        assertThat(server.requests().getFirst().headers().get("accept-encoding")).contains("gzip");
    }

    @Test
    void anAnswerInOnePieceIsTheSameAsAStream() {
        for (List<ModelEvent> events : List.of(saying("Hi"), mixed(), twelveCalls())) {
            ModelResponse streamed = hear(events).response();
            server.play(WireAnswer.json(fixture().whole(ResponseReducer.reduce(events))));
            Heard whole = ask(fixture().model(setup().whole()), QUESTION);
            assertThat(whole.response()).isEqualTo(streamed);
            assertThat(ResponseReducer.reduce(whole.events())).isEqualTo(streamed);
        }
    }

    @Test
    void aServerThatDoesNotStreamIsUnderstood() {
        List<ModelEvent> events = mixed();
        ModelResponse streamed = hear(events).response();
        assertThat(hear(WireAnswer.json(fixture().whole(ResponseReducer.reduce(events)))).response())
                .isEqualTo(streamed);
    }

    @Test
    void anErrorInMidStreamKeepsWhatHadArrived() {
        List<String> events = new ArrayList<>(fixture().stream(begun("Half ", "of")));
        events.add(fixture().overloadedEvent());
        server.play(WireAnswer.stream(events));
        ModelException failure = failureOf(model());
        assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(failure.partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("Half of"));
    }

    @Test
    void aStreamThatJustEndsKeepsWhatHadArrived() {
        server.play(WireAnswer.stream(fixture().stream(begun("Half ", "of"))));
        ModelException failure = failureOf(model());
        assertThat(failure.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(failure.partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("Half of"));
    }

    @Test
    void aStreamThatEndsInMidEventKeepsWhatHadArrived() {
        List<String> events = new ArrayList<>(fixture().stream(begun("Half ", "of", " it")));
        events.set(events.size() - 1, events.getLast().substring(0, events.getLast().length() / 2));
        server.play(WireAnswer.stream(events));
        ModelException failure = failureOf(model());
        assertThat(failure.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(failure.partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("Half of"));
    }

    @Test
    void aStreamWithNothingInItIsNoAnswer() {
        server.play(WireAnswer.stream(List.of()));
        ModelException failure = failureOf(model());
        assertThat(failure.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(failure.partial()).isEmpty();
    }

    @Test
    void whatIsNotJsonKeepsWhatHadArrived() {
        List<String> events = new ArrayList<>(fixture().stream(begun("Half ", "of", " it")));
        events.set(events.size() - 1, events.getLast().replace("}\n\n", "\n\n"));
        server.play(WireAnswer.stream(events).thenHang());
        ModelException failure = failureOf(model());
        assertThat(failure.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(failure.partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("Half of"));
    }

    /** Reasoning if the protocol has it, text, and a call. */
    List<ModelEvent> mixed() {
        List<ModelEvent> between = new ArrayList<>();
        if (fixture().features().contains(ModelFixture.Feature.REASONING)) {
            between.add(new ReasoningDelta("Paris, "));
            between.add(new ReasoningDelta("so Europe."));
        }
        between.add(new TextDelta("Let me "));
        between.add(new TextDelta("look."));
        between.add(new CallStarted(0, "call-a", "weather"));
        between.add(new CallArguments(0, "{\"city\":\"Pa"));
        between.add(new CallArguments(0, "ris\"}"));
        return answer(FinishReason.TOOL_CALLS, between.toArray(ModelEvent[]::new));
    }

    /** Twelve calls whose pieces are interleaved. */
    private List<ModelEvent> twelveCalls() {
        List<Integer> order = new ArrayList<>(List.of(10, 2, 11, 0, 9, 1, 8, 3, 7, 4, 6, 5));
        List<ModelEvent> between = new ArrayList<>(
                order.stream().map(i -> (ModelEvent) new CallStarted(i, "id-" + i, "weather")).toList());
        Collections.shuffle(order, new Random(SEED));
        order.forEach(i -> between.add(new CallArguments(i, "{\"city\":\"")));
        Collections.shuffle(order, new Random(SEED + 1));
        order.forEach(i -> between.add(new CallArguments(i, i + " é\"}")));
        return answer(FinishReason.TOOL_CALLS, between.toArray(ModelEvent[]::new));
    }

    private List<ModelEvent> twoCalls(String firstId, String secondId) {
        return answer(FinishReason.TOOL_CALLS, new CallStarted(0, firstId, "weather"),
                new CallArguments(0, "{\"city\":\"a\"}"), new CallStarted(1, secondId, "weather"),
                new CallArguments(1, "{\"city\":\"b\"}"));
    }

    private List<String> between(String noise) {
        return fixture().stream(saying("a", "b", "c"))
                .stream()
                .map(event -> noise + event)
                .collect(Collectors.toList());
    }
}
