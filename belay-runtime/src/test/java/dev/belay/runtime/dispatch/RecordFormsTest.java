package dev.belay.runtime.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.body.StepMemory;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.dispatch.record.BodyChanges;
import dev.belay.runtime.dispatch.record.PlacedCall;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.policy.DecidingRule;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.PendingCompletion;
import dev.belay.tool.option.Fingerprint;
import dev.belay.tool.option.RetryAdvice;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Contract L.5: the forms of records. The golden file is what version 1 wrote; it is never changed, and every later version reads
 * it.
 */
class RecordFormsTest {

    private static final String GOLDEN = "records-1.txt";
    private static final Incarnation INCARNATION = new Incarnation(0x0123456789abcdefL, -2);
    private static final Preparation CALL = new Preparation(new ToolId("tool:refund"),
            new Fingerprint("00ff".repeat(16)), Json.of("{\"order\":42}"), Json.of("{\"rate\":1.50}"));
    private static final ToolFailure FAILURE = ToolFailure
            .of(ToolFailure.Kind.EXTERNAL, "tool_failed", "busy")
            .withRetry(RetryAdvice.after(Duration.ofSeconds(3)));

    private static final ToolBatch BATCH = new ToolBatch(INCARNATION, 3, 7,
            List.of(new CallRequest(new CallId("a"), "refund", "{\"order\": 42}"),
                    new CallRequest("list", "")));
    private static final PlacedCall PLACED = new PlacedCall(new IdempotencyKey.Place(INCARNATION, 3, 7, 1),
            new CallId("call_7_1"), "list", "");
    private static final BodyChanges LEFT = new BodyChanges(List.of(),
            List.of(Json.of("{\"usage\":{\"input\":7}}")), List.of("0123456789abcdef01234567"),
            new StepMemory(Map.of("ticket", Json.string("T1")),
                    Map.of("pay", "0123456789abcdef01234567")).toJson());
    private static final Map<String, AttemptRecord> ATTEMPTS = Map.of(
            "asked",
            new AttemptRecord.Asked(CALL, "ab".repeat(32), Instant.parse("2030-01-08T00:00:00Z"),
                    List.of(new DecidingRule("big", "over 100", "cd".repeat(32)),
                            new DecidingRule(null, "no rule is about this call", "ASK")),
                    1, null), //
            "held", new AttemptRecord.Held(FAILURE, "76543210fedcba9876543210", CALL, LEFT), //
            "unsure",
            new AttemptRecord.Unsure(FAILURE, 2, Instant.parse("2030-01-01T00:00:03.250Z"), false, "node-1",
                    CALL,
                    LEFT),
            "ended", new AttemptRecord.Ended(new ToolOutcome.Success(Json.string("done"))),
            "retry", new AttemptRecord.Retry(FAILURE, Duration.ofMillis(3_250),
                    Instant.parse("2030-01-01T00:00:03.250Z"), Duration.ofMillis(40), CALL),
            "parked", new AttemptRecord.Parked(
                    new PendingCompletion(Instant.parse("2030-01-02T00:00:00Z"),
                            PendingCompletion.OnTimeout.FAIL_TURN, PendingCompletion.OnCancel.IGNORE,
                            "say yes"),
                    CALL),
            "parked-for-ever", new AttemptRecord.Parked(PendingCompletion.DEFAULT,
                    new Preparation(CALL.tool(), CALL.fingerprint(), Json.EMPTY_OBJECT, null)),
            "entered", new AttemptRecord.Entered(CALL), //
            "retry-spent",
            new AttemptRecord.Retry(FAILURE, Duration.ofMillis(3_250),
                    Instant.parse("2030-01-01T00:00:03.250Z"),
                    Duration.ofMillis(40), CALL, List.of(Json.of("{\"usage\":{\"input\":7}}"))),
            "parked-left",
            new AttemptRecord.Parked(PendingCompletion.DEFAULT,
                    new Preparation(CALL.tool(), CALL.fingerprint(), Json.EMPTY_OBJECT, null),
                    new BodyChanges(List.of(Json.of("{\"membership\":[]}")),
                            List.of(Json.of("{\"usage\":{\"input\":7}}")))));

    private static Map<String, Json> golden() throws IOException {
        try (InputStream in = RecordFormsTest.class.getResourceAsStream(GOLDEN)) {
            assertThat(in).as(GOLDEN).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .collect(Collectors.toMap(line -> line.substring(0, line.indexOf(' ')),
                            line -> Json.of(line.substring(line.indexOf(' ') + 1))));
        }
    }

    private static Json golden(String name) throws IOException {
        return Objects.requireNonNull(golden().get(name), name);
    }

    @Test
    void batchesAreWrittenAndReadAsEver() throws Exception {
        assertThat(BATCH.toJson().text()).isEqualTo(golden("batch").text());
        assertThat(ToolBatch.of(golden("batch"))).isEqualTo(BATCH);
    }

    @Test
    void callsAreWrittenAndReadAsEver() throws Exception {
        assertThat(PLACED.input().kind()).isEqualTo("call/1");
        assertThat(PLACED.input().value().text()).isEqualTo(golden("call").text());
        assertThat(PLACED.identity().text()).isEqualTo(golden("identity").text());
        assertThat(PlacedCall.of(new ScopeInput("call/1", golden("call")))).isEqualTo(PLACED);
    }

    @Test
    void aCallThatWasCutSaysSo() throws Exception {
        var cut = new PlacedCall(PLACED.place(), PLACED.id(), "list", "", true);
        String arguments = "\"arguments\":\"\"";
        String marked = arguments + ",\"cut\":\"length\"";
        assertThat(cut.input().value().text()).isEqualTo(golden("call").text().replace(arguments, marked));
        assertThat(cut.identity().text()).isEqualTo(golden("identity").text().replace(arguments, marked));
        assertThat(PlacedCall.of(cut.input())).isEqualTo(cut);
        var batch = new ToolBatch(INCARNATION, 3, 7,
                List.of(BATCH.calls().getFirst(), new CallRequest(null, "list", "", true)));
        assertThat(batch.toJson().text()).isEqualTo(golden("batch").text().replace(arguments, marked));
        assertThat(ToolBatch.of(batch.toJson())).isEqualTo(batch);
        assertThat(PlacedCall.of(batch).get(1).cut()).isTrue();
    }

    @Test
    void fieldsOfACallThatAreNotKnownAreIgnored() throws Exception {
        String later = golden("call").text().replace("{\"v\":1,", "{\"mood\":{\"v\":[2]},\"v\":1,");
        assertThat(PlacedCall.of(new ScopeInput("call/1", Json.of(later)))).isEqualTo(PLACED);
    }

    @Test
    void aCallThatIsNoneIsCorrupt() throws Exception {
        String text = golden("call").text();
        for (String broken : List.of("{}", "[]", text.replace("\"v\":1", "\"v\":2"),
                text.replace("\"v\":1", "\"v\":\"1\""), text.replace("\"turn\"", "\"turns\""),
                text.replace("\"name\"", "\"names\""),
                text.replace("\"position\":1", "\"position\":4294967296"),
                text.replace("\"position\":1", "\"position\":null"))) {
            assertThatThrownBy(() -> PlacedCall.of(new ScopeInput("call/1", Json.of(broken)))).as(broken)
                    .isInstanceOfSatisfying(JournalException.class,
                            e -> assertThat(e.code()).isEqualTo("journal_corrupt"));
        }
    }

    @Test
    void preparationsAreWrittenAndReadAsEver() throws Exception {
        assertThat(CALL.toJson().text()).isEqualTo(golden("preparation").text());
        assertThat(Preparation.of(golden("preparation"))).isEqualTo(CALL);
        assertThat(Preparation.NONE.text()).isEqualTo(golden("no-preparation").text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ended", "retry", "parked", "parked-for-ever", "entered"})
    void attemptsAreWrittenAndReadAsEver(String name) throws Exception {
        assertThat(Objects.requireNonNull(ATTEMPTS.get(name)).toJson().text()).isEqualTo(golden(name).text());
        assertThat(AttemptRecord.of(golden(name))).isEqualTo(ATTEMPTS.get(name));
    }

    @Test
    void fieldsOfALaterVersionAreIgnored() {
        assertThat(AttemptRecord.of(Json.of("{\"v\":1,\"mood\":\"good\",\"ended\":{\"ok\":\"done\"}}")))
                .isEqualTo(ATTEMPTS.get("ended"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"v\":1}", "{\"v\":2,\"ended\":{\"ok\":1}}",
        "{\"v\":1,\"ended\":{\"why\":1}}",
        "{\"v\":1,\"parked\":{}}", "[]", "{\"v\":\"x\"}"})
    void whatIsNoRecordIsCorrupt(String text) {
        assertThatThrownBy(() -> AttemptRecord.of(Json.of(text))).isInstanceOfSatisfying(
                JournalException.class,
                e -> assertThat(e.code()).isEqualTo("journal_corrupt"));
    }

    @Test
    void aBatchThatIsNoneIsCorrupt() {
        assertThatThrownBy(() -> ToolBatch
                .of(Json.of("{\"v\":1,\"incarnation\":\"00\",\"turn\":0,\"round\":0,\"calls\":[]}")))
                .isInstanceOf(JournalException.class);
    }
}
