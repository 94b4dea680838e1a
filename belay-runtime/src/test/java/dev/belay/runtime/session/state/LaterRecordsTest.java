package dev.belay.runtime.session.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part;
import dev.belay.model.Usage;
import dev.belay.runtime.dispatch.record.PlacedCall;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.asking.Models;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.LargeResult;
import dev.belay.tool.ToolId;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.option.Fingerprint;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records that are written when they are read say beforehand how long they are at most; a store decides by that where they stand. */
class LaterRecordsTest {

    /** Each of these characters takes six in a record. */
    private static final String WIDE = "\u0001".repeat(300);
    private static final Incarnation INCARNATION = new Incarnation(-1, -1);

    @Test
    void roundsAreNotLongerThanTheySay() {
        isNotLonger(round(Message.assistant(WIDE), new TurnEnd.Finished(WIDE, null)).toJson());
        isNotLonger(round(Message.assistant(new Part.CallPart(WIDE, WIDE, WIDE)), null).toJson());
        isNotLonger(round(Message.assistant(new Part.ReasoningPart(WIDE), new Part.TextPart("a"),
                new Part.CallPart("", "n", ""), new Part.CallPart("", "n", "")), null).toJson());
        isNotLonger(round(Message.assistant(new Part.RefusalPart(WIDE)), null).toJson());
    }

    @Test
    void longRoundsAreWrittenAtOnce() {
        Json round = round(Message.assistant("a".repeat(LargeResult.INLINE)), null).toJson();

        assertThat(round.mostLength()).isEqualTo(round.text().length());
        assertThat(LargeResult.of(round)).isPresent();
    }

    @Test
    void callsAreNotLongerThanTheySay() {
        var place = new IdempotencyKey.Place(INCARNATION, Long.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE);
        isNotLonger(new PlacedCall(place, new CallId("c"), WIDE, WIDE, true).identity());
        isNotLonger(new Preparation(new ToolId("t".repeat(64)), new Fingerprint("f".repeat(64)),
                Json.write(out -> out.beginObject().name("n").value(WIDE).endObject()), null).toJson());
    }

    @Test
    void startsAreNotLongerThanTheySay() {
        Json content = Json.write(out -> out.beginObject().name("n").value(WIDE).endObject());
        var arrival = new Arrival("\"".repeat(200), Arrival.Kind.INPUT, "h", content);
        isNotLonger(TurnScope.input(new SessionId("\"".repeat(200)), INCARNATION, Long.MAX_VALUE, arrival,
                "default").value());
    }

    private static void isNotLonger(Json later) {
        int most = later.mostLength();
        assertThat(later.text().length()).isLessThan(most);
        assertThat(later.mostLength()).as("it was not written before").isEqualTo(most);
    }

    private static RoundRecord round(Message.AssistantMessage message, @Nullable TurnEnd end) {
        var reply = new ModelResponse(message, FinishReason.TOOL_CALLS,
                Usage.of(Integer.MAX_VALUE, Integer.MAX_VALUE), WIDE, WIDE);
        var asked = new RoundRecord.Asked(WIDE, Models.DEFAULT, Long.MAX_VALUE, "0".repeat(64),
                "0".repeat(64), null, null, Long.MAX_VALUE);
        return new RoundRecord(null, List.of(), asked, reply, Usage.NONE, true, end);
    }
}
