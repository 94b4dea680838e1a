package dev.belay.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.FinishReason;
import dev.belay.model.Generation;
import dev.belay.model.Message;
import dev.belay.model.ModelResponse;
import dev.belay.model.OutputSpec;
import dev.belay.model.Part;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.catalog.Membership;
import dev.belay.runtime.catalog.MembershipChange;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.plugin.engine.RoundHooks;
import dev.belay.runtime.plugin.engine.TurnHooked;
import dev.belay.runtime.session.asking.FailedTry;
import dev.belay.runtime.session.asking.Models;
import dev.belay.runtime.session.inbox.JoinedArrivals;
import dev.belay.runtime.session.inbox.SavedState;
import dev.belay.runtime.session.inbox.SessionCommand;
import dev.belay.runtime.session.inbox.ToolCommand;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.state.RoundRecord;
import dev.belay.runtime.session.state.TurnSpending;
import dev.belay.runtime.session.turn.CallChildren;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.Reconciliation;
import dev.belay.toolset.budget.Prices;
import dev.belay.toolset.loop.LoopHost;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Contract L.5: the forms of a session's records. The golden file is what version 1 wrote; it is never changed, and every later
 * version reads it.
 */
class SessionFormsTest {

    private static final String GOLDEN = "sessions-1.txt";
    private static final Incarnation INCARNATION = new Incarnation(0x0123456789abcdefL, -2);
    private static final Message.UserMessage MESSAGE = Message.user("Refund order 42");
    private static final TurnInput INPUT = new TurnInput(MESSAGE,
            TurnSettings.NONE.withModel("fast"),
            null, Json.of("{\"plan\":{\"deep\":true}}"), Instant.parse("2030-01-01T00:00:00Z"), "b1.key.mac",
            null);
    private static final Arrival ARRIVAL = new Arrival("in", Arrival.Kind.INPUT, INPUT.hash(),
            INPUT.toJson());
    private static final Arrival COMMAND = new ToolCommand.Change(
            List.of(new MembershipChange(new ToolId("tool:refund"), Membership.ABSENT))).arrival("command");
    private static final ModelResponse REPLY = new ModelResponse(
            Message.assistant(new Part.TextPart("Let me see."),
                    new Part.CallPart("c1", "find", "{\"n\": 1}")),
            FinishReason.TOOL_CALLS, Usage.of(100, 20).withReasoning(5), "model-1", "r-1");
    private static final RoundRecord ROUND = new RoundRecord(null, List.of(ARRIVAL, COMMAND),
            new RoundRecord.Asked("fast", "default", 3, "ab12", "cd34", null), REPLY, Usage.of(7, 0), false,
            null);
    private static final RoundRecord LAST = new RoundRecord(null, List.of(), null, null,
            Usage.NONE, false,
            new TurnEnd.Stopped(TurnEnd.Cause.MAX_ROUNDS, "enough", Json.of("{\"rounds\":50}")));
    private static final TurnResult.Ended RESULT = result(null, 0);

    private static TurnResult.Ended result(@Nullable BigDecimal cost, int unrecorded) {
        return TurnResult.Ended.of(new SessionId("order-42"), 7, "in",
                new TurnEnd.Finished("", Json.of("{\"paid\":1.50}")), 3, Usage.of(207, 20), cost, unrecorded,
                List.of(), List.of());
    }

    private static Map<String, Json> golden() throws IOException {
        try (InputStream in = SessionFormsTest.class.getResourceAsStream(GOLDEN)) {
            assertThat(in).as(GOLDEN).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .collect(Collectors.toMap(line -> line.substring(0, line.indexOf(' ')),
                            line -> Json.of(line.substring(line.indexOf(' ') + 1))));
        }
    }

    private static <T> void pinned(String name, Json written, T value, Function<Json, T> reading)
            throws IOException {
        Json golden = Objects.requireNonNull(golden().get(name), name);
        assertThat(written.text()).as(name).isEqualTo(golden.text());
        assertThat(reading.apply(golden)).as(name).isEqualTo(value);
    }

    @Test
    void recordsOfSessionsAreWrittenAndReadAsEver() throws Exception {
        pinned("input", INPUT.toJson(), INPUT, TurnInput::of);
        pinned("round", ROUND.toJson(), ROUND, RoundRecord::of);
        pinned("last-round", LAST.toJson(), LAST, RoundRecord::of);
        pinned("result", RESULT.toJson(), RESULT, TurnResult.Ended::of);
        pinned("refused", new TurnEnd.Refused("no").toJson(), new TurnEnd.Refused("no"), TurnEnd::of);
        var scope = TurnScope.input(new SessionId("order-42"), INCARNATION, 7, ARRIVAL, "default");
        assertThat(scope.value().text()).isEqualTo(Objects.requireNonNull(golden().get("scope")).text());
        assertThat(TurnStart.of(scope))
                .isEqualTo(new TurnStart(new SessionId("order-42"), INCARNATION, 7, "in", INPUT, "default"));
        assertThat(TurnScope.id(INCARNATION, 7).value()).isEqualTo("turn/0123456789abcdeffffffffffffffffe/7");
    }

    /** What a child ends with came later, in lines of its own: the name of its call, by which it is found. */
    @Test
    void theInputOfAChildIsWrittenAndReadAsEver() throws Exception {
        String call = CallChildren.name(TurnScope.id(INCARNATION, 7), 2, 1);
        assertThat(call).isEqualTo(Objects.requireNonNull(golden().get("child-call")).asString());
        assertThat(CallChildren.child(call, "helper").value())
                .isEqualTo(Objects.requireNonNull(golden().get("child")).asString());
        var input = new TurnInput(MESSAGE, TurnSettings.NONE, null, Json.EMPTY_OBJECT, INPUT.at(),
                "b1.key.mac", call);
        pinned("child-input", input.toJson(), input, TurnInput::of);
        assertThat(new TurnInput(MESSAGE, TurnSettings.NONE, null, Json.EMPTY_OBJECT, INPUT.at())
                .hash()).as("starting again finds it").isEqualTo(input.hash());
    }

    /** Loops of programs came later; what they add stands in lines of its own. */
    @Test
    void recordsOfTurnsWithALoopOfAProgramAreWrittenAndReadAsEver() throws Exception {
        var input = new TurnInput(MESSAGE, TurnSettings.NONE, "desk", Json.EMPTY_OBJECT, INPUT.at());
        pinned("own-input", input.toJson(), input, TurnInput::of);
        var before = new RoundRecord.Before(true, List.of(new LoopHost.Told(Part.ReplyPart.Status.OK, "5"),
                new LoopHost.Told(Part.ReplyPart.Status.REJECTED, "Rejected: no")));
        var round = new RoundRecord(before, List.of(),
                new RoundRecord.Asked("fast", "default", 0, "ab12", "cd34", null),
                REPLY, Usage.NONE, false, null);
        pinned("own-round", round.toJson(), round, RoundRecord::of);
        var dropped = new RoundRecord(new RoundRecord.Before(false, List.of()), List.of(), null,
                null,
                Usage.NONE, false, LAST.end());
        pinned("own-last-round", dropped.toJson(), dropped, RoundRecord::of);
        var arrival = new Arrival("in", Arrival.Kind.INPUT, input.hash(), input.toJson());
        assertThat(TurnScope.input(new SessionId("order-42"), INCARNATION, 7, arrival, "default").kind())
                .isEqualTo("open-turn/1/desk");
    }

    /** The output budget came later. */
    @Test
    void recordsOfCutOutputsAreWrittenAndReadAsEver() throws Exception {
        var before = new RoundRecord.Before(true, List.of(new LoopHost.Told(Part.ReplyPart.Status.OK, "a…")),
                List.of("a"), true);
        var round = new RoundRecord(before, List.of(),
                new RoundRecord.Asked("fast", "default", 0, "ab12", "cd34", null), REPLY, Usage.NONE, false,
                null);
        pinned("cut-round", round.toJson(), round, RoundRecord::of);
        var state = new SavedState(null, TurnSettings.NONE, null, true, null);
        pinned("cut-state", state.toJson(), state, SavedState::of);
    }

    /** What says that something may be missing came later, too. */
    @Test
    void recordsOfWhatIsUnrecordedOrLateAreWrittenAndReadAsEver() throws Exception {
        var round = new RoundRecord(null, List.of(),
                new RoundRecord.Asked("fast", "default", 3, "ab12", "cd34", null), REPLY, Usage.NONE, true,
                null);
        pinned("unrecorded-round", round.toJson(), round, RoundRecord::of);
        var result = result(null, 2);
        pinned("unrecorded-result", result.toJson(), result, TurnResult.Ended::of);
        Arrival late = Arrival.late(7, "round/1/call/0/attempt/1", "pay (call c1)",
                Reconciliation.happened(new ToolOutcome.Success(Json.string("paid"))));
        assertThat(late.id()).isEqualTo("late/7/round/1/call/0/attempt/1");
        assertThat(late.content().text())
                .isEqualTo(Objects.requireNonNull(golden().get("late-notice")).text());
        assertThat(JoinedArrivals.messages(List.of(late))).containsExactly(Message.user(
                "Note (tool_late): pay (call c1) was given up in turn 7 and has ended after all: paid"));
    }

    /** So did settings and prices. */
    @Test
    void recordsOfSettingsAndCostsAreWrittenAndReadAsEver() throws Exception {
        var settings = new TurnSettings("big", "deep",
                Generation.PROVIDER_DECIDES.withTemperature(0.25)
                        .withTopP(1)
                        .withMaxOutputTokens(500)
                        .withSeed(-7)
                        .withStop("END", "STOP")
                        .withEffort(Generation.Effort.HIGH),
                OptionalLong.of(128_000), null, null);
        var input = new TurnInput(MESSAGE, settings, null, Json.EMPTY_OBJECT, INPUT.at());
        pinned("set-input", input.toJson(), input, TurnInput::of);
        assertThat(input.hash())
                .isEqualTo(Objects.requireNonNull(golden().get("set-input-hash")).asString());
        SessionCommand command = new SessionCommand.Settings(settings);
        pinned("set-command", command.toJson(), command, SessionCommand::of);
        SessionCommand none = new SessionCommand.Settings(TurnSettings.NONE);
        pinned("set-command-none", none.toJson(), none, SessionCommand::of);
        var state = new SavedState(Json.of("{\"v\":1}"), TurnSettings.NONE.withModel("big"), null, false,
                null);
        pinned("set-state", state.toJson(), state, SavedState::of);
        var only = new SavedState(null, TurnSettings.NONE.withVariant("deep"), null, false, null);
        pinned("set-state-only", only.toJson(), only, SavedState::of);
        var round = new RoundRecord(null, List.of(),
                new RoundRecord.Asked("big", "deep", 3, "ab12", "cd34", new BigDecimal("0.00120")), REPLY,
                Usage.NONE, false, null);
        pinned("set-round", round.toJson(), round, RoundRecord::of);
        var result = result(new BigDecimal("1.2E-7"), 0);
        pinned("set-result", result.toJson(), result, TurnResult.Ended::of);
        assertThat(TurnSpending.left("big", Usage.of(10, 5), new BigDecimal("0.5")).text())
                .isEqualTo(Objects.requireNonNull(golden().get("spent")).text());
    }

    @Test
    void aFailedTryIsWrittenAndReadAsEver() throws Exception {
        var first = new FailedTry("model_rate_limited", "slow down", true, "big", Usage.of(10, 5),
                new BigDecimal("0.5"), true, Duration.ofMillis(1_250), INPUT.at().plusMillis(1_250),
                INPUT.at().plusSeconds(600));
        pinned("try-first", first.toJson(), first, FailedTry::of);
        var next = new FailedTry("model_connection", "refused", false, "default", Usage.NONE, null, false,
                Duration.ofSeconds(4), INPUT.at().plusSeconds(4), null);
        pinned("try", next.toJson(), next, FailedTry::of);
        assertThat(FailedTry.key(3, 2).value()).isEqualTo("round/3/try/2");
        var patient = TurnSettings.NONE.withModelPatience(Duration.ofMinutes(3));
        pinned("patient-command", new SessionCommand.Settings(patient).toJson(),
                (SessionCommand) new SessionCommand.Settings(patient), SessionCommand::of);
    }

    @Test
    void inputsWithAMannerOfTheirOwnAreWrittenAndReadAsEver() throws Exception {
        var manner = new TurnInput.Manner(true,
                new OutputSpec.Schema("verdict", Json.of("{\"type\":\"object\"}")),
                Map.of("user", "ada", "request-id", "r1"));
        TurnInput own = new TurnInput(MESSAGE, TurnSettings.NONE, null, Json.EMPTY_OBJECT, INPUT.at())
                .in(manner);
        pinned("own-turn-input", own.toJson(), own, TurnInput::of);
        assertThat(own.in(new TurnInput.Manner(true, manner.answer(), Map.of())).hash())
                .as("the context is no part of what is said")
                .isEqualTo(own.hash());
        assertThat(own.in(new TurnInput.Manner(false, manner.answer(), Map.of())).hash())
                .isNotEqualTo(own.hash());
        assertThat(own.in(new TurnInput.Manner(true, null, Map.of())).hash()).isNotEqualTo(own.hash());
        var again = new TurnInput(null, TurnSettings.NONE, null, Json.EMPTY_OBJECT, INPUT.at(), null, null,
                TurnInput.Manner.PLAIN);
        pinned("again-input", again.toJson(), again, TurnInput::of);
        var wrong = new RoundRecord(null, List.of(), null, REPLY, Usage.NONE, false, null, "it is not JSON",
                RoundHooks.NONE);
        assertThat(RoundRecord.of(wrong.toJson())).isEqualTo(wrong);
        assertThat(wrong.toJson().text()).endsWith(",\"wrong\":\"it is not JSON\"}");
    }

    @Test
    void whatHooksHaveDecidedInARoundIsWrittenAndReadAsEver() throws Exception {
        Json change = Json.of("{\"plugin\":\"plan\",\"state\":\"steps\",\"data\":{\"step\":\"one\"}}");
        var before = new TurnHooked(List.of(change), List.of(new TurnHooked.Said("coach", MESSAGE)),
                List.of(new TurnHooked.Child("coach", "look", "helper", "Look around.")), null);
        var after = new TurnHooked(List.of(), List.of(new TurnHooked.Said("coach", Message.user("Sure?"))),
                List.of(), null);
        var hooks = new RoundHooks(before, after, Map.of(
                0, new RoundHooks.Decided(Json.of("{\"amount\":10}"), null, List.of(change)),
                1, new RoundHooks.Decided(null, new ToolOutcome.Rejected("no"), List.of())));
        pinned("round-hooks", hooks.toJson(), hooks, json -> RoundHooks.of(Optional.of(json)));
        var round = new RoundRecord(null, List.of(), null, REPLY, Usage.NONE, false, null, null, hooks);
        assertThat(RoundRecord.of(round.toJson())).isEqualTo(round);
    }

    @Test
    void aStateWithoutSettingsIsWrittenAsEver() {
        assertThat(new SavedState(Json.of("{\"a\":1}"), TurnSettings.NONE, null, false, null).toJson().text())
                .isEqualTo("{\"v\":1,\"tools\":{\"a\":1}}");
        assertThat(SavedState.of(Json.NULL))
                .isEqualTo(new SavedState(null, TurnSettings.NONE, null, false, null));
    }

    @Test
    void whatIsSaidAboutTheHistoryIsWrittenAndReadAsEver() {
        SessionCommand compact = new SessionCommand.Compact();
        assertThat(compact.toJson().text()).isEqualTo("{\"compact\":true}");
        assertThat(SessionCommand.of(compact.toJson())).isEqualTo(compact);
        var state = new SavedState(null, TurnSettings.NONE, null, false, Json.of("{\"factor\":900}"));
        assertThat(state.toJson().text()).isEqualTo("{\"v\":1,\"history\":{\"factor\":900}}");
        assertThat(SavedState.of(state.toJson())).isEqualTo(state);
        var round = new RoundRecord(null, List.of(),
                new RoundRecord.Asked("default", "default", 3, "ab", "cd", null,
                        Json.of("{\"view\":{\"pieces\":[]}}"), 700),
                REPLY, Usage.NONE, false, null);
        assertThat(round.toJson().text()).contains("\"plugins\":{\"view\":{\"pieces\":[]}},\"estimate\":700");
        assertThat(RoundRecord.of(round.toJson())).isEqualTo(round);
    }

    @Test
    void spendingWithoutAPriceIsCountedAtThePriceOfToday() {
        var spending = new TurnSpending();
        assertThat(spending.add(Json.of("{\"usage\":{\"input\":10},\"model\":\"default\"}"))).isTrue();
        assertThat(spending.add(Json.of("{\"membership\":[]}"))).isFalse();
        assertThat(spending.cost()).as("not known").isNull();
        var models = new Models(Map.of("default", new ScriptedModel()), Map.of(),
                Map.of("default", Prices.of("2", "4")));
        assertThat(spending.cost(models)).isEqualByComparingTo("0.00002");
        assertThat(spending.add(TurnSpending.left("big", Usage.of(1, 1), new BigDecimal("0.5")))).isTrue();
        assertThat(spending.cost(models)).isEqualByComparingTo("0.50002");
        assertThat(spending.usage()).isEqualTo(Usage.of(11, 1));
    }

    @Test
    void everySettingIsPartOfAnInput() {
        var hashes = List.of(TurnSettings.NONE, TurnSettings.NONE.withModel("a"),
                TurnSettings.NONE.withVariant("a"), TurnSettings.NONE.withMaxContextTokens(9),
                TurnSettings.NONE.withGeneration(Generation.PROVIDER_DECIDES.withSeed(9)))
                .stream()
                .map(one -> new TurnInput(MESSAGE, one, null, INPUT.with(), INPUT.at()).hash())
                .toList();
        assertThat(hashes).doesNotHaveDuplicates();
    }

    @Test
    void whoseLoopATurnHasIsPartOfItsInput() {
        var none = new TurnInput(MESSAGE, TurnSettings.NONE, null, INPUT.with(), INPUT.at());
        var unnamed = new TurnInput(MESSAGE, TurnSettings.NONE, "", INPUT.with(), INPUT.at());
        var named = new TurnInput(MESSAGE, TurnSettings.NONE, "desk", INPUT.with(), INPUT.at());
        assertThat(List.of(none.hash(), unnamed.hash(), named.hash())).doesNotHaveDuplicates();
        assertThat(TurnInput.of(unnamed.toJson())).isEqualTo(unnamed);
    }

    @Test
    void whatIsReadAsIsNeedNotBeRead() {
        assertThat(INPUT.isReadAsIs()).isTrue();
        assertThat(TurnInput.of(INPUT.arrival("in").content())).isEqualTo(INPUT);
        assertThat(INPUT.arrival("in").hash()).isEqualTo(INPUT.hash());
        assertThat(INPUT.arrival("in").content().text()).isEqualTo(INPUT.toJson().text());
        var whole = new TurnInput(Message.user("\uD83D\uDE00"), INPUT.settings(), null, INPUT.with(),
                INPUT.at());
        assertThat(whole.isReadAsIs()).isTrue();
        assertThat(TurnInput.of(whole.toJson())).isEqualTo(whole);
        var half = new TurnInput(Message.user("\uD83D"), INPUT.settings(), null, INPUT.with(), INPUT.at());
        assertThat(half.isReadAsIs()).isFalse();
        assertThat(TurnInput.of(half.toJson())).isNotEqualTo(half);
    }

    @Test
    void aScopeKnowsItsSession() {
        assertThat(TurnScope.session(TurnScope.id(INCARNATION, 7))).isEqualTo(INCARNATION);
        assertThatThrownBy(() -> TurnScope.session(new ScopeId("turn/7")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anInputIsTheSameWheneverItIsGiven() {
        var later = new TurnInput(MESSAGE, INPUT.settings(), null, INPUT.with(), Instant.EPOCH);
        assertThat(later.hash()).isEqualTo(INPUT.hash());
        assertThat(new TurnInput(Message.user("Refund order 43"), INPUT.settings(), null, INPUT.with(),
                Instant.EPOCH).hash()).isNotEqualTo(INPUT.hash());
        assertThat(new TurnInput(MESSAGE, TurnSettings.NONE, null, INPUT.with(), Instant.EPOCH)
                .hash())
                .isNotEqualTo(INPUT.hash());
    }

    @Test
    void aRecordThatIsNoneIsCorruptWhateverIsWrongWithIt() {
        String text = ROUND.toJson().text();
        var random = new Random(11);
        for (int i = 0; i < 3_000; i++) {
            int at = random.nextInt(text.length());
            String changed = text.substring(0, at) + (char) (' ' + random.nextInt(90))
                    + text.substring(at + 1);
            try {
                RoundRecord.of(Json.of(changed));
            } catch (JsonException notJson) {
                // a store returns what it was given
            } catch (BelayException e) {
                assertThat(e.code()).as(changed).isEqualTo("journal_corrupt");
            }
        }
        assertThatThrownBy(() -> RoundRecord.of(Json.of("{\"v\":2}"))).hasMessageContaining("forms up to 1");
    }
}
