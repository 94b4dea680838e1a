package dev.belay.runtime.session;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One round, as it is recorded: takes what has arrived, offers the tools of today, asks the model.
 *
 * <p><b>Durability.</b> One record holds all of it. A model that was asked by a process that died is asked again; what the first
 * answer cost is not known. <b>Recovery.</b> The identity covers the input and the round before, never what was rendered from
 * them: a prompt, a tool or a model that has changed since does not matter to rounds that are recorded.
 */
final class RoundEffect implements Effect<RoundRecord> {

    private final TurnLoop turn;
    private final int number;
    private final String previous;

    /**
     * A round.
     *
     * @param number from 1
     * @param previous hash of the record before
     */
    RoundEffect(TurnLoop turn, int number, String previous) {
        this.turn = turn;
        this.number = number;
        this.previous = previous;
    }

    @Override
    public EffectKey key() {
        return new EffectKey("round/" + number);
    }

    @Override
    public String kind() {
        return "round";
    }

    @Override
    public Json identity() {
        return Json.write(out -> out.beginObject()
                .name("input")
                .value(turn.start().inputId())
                .name("after")
                .value(previous)
                .endObject());
    }

    @Override
    public Plan plan() {
        return Plan.of(ToolEffect.READ, Json.EMPTY_OBJECT);
    }

    @Override
    public RoundRecord run(Running running) {
        Optional<TurnEnd> stop = stop();
        if (stop.isPresent()) {
            return RoundRecord.ended(stop.get());
        }
        List<Arrival> joined = joined();
        List<RoundRecord.LateNote> late = turn.lateNotes();
        ToolCatalog catalog = turn.catalog(joined);
        ModelRequest request = turn.request(joined, late, catalog);
        var asked = new RoundRecord.Asked(turn.modelName(), catalog.generation(), catalog.fingerprint(),
                turn.hash(request));
        turn.tell(new TurnEvent.RoundStarted(turn.start().turn(), number,
                joined.stream().map(Arrival::id).toList()));
        ModelCall.Answer answer = new ModelCall(turn, number).ask(request);
        TurnEnd end = answer.end();
        ModelResponse reply = answer.reply();
        return new RoundRecord(joined, late, asked, reply, answer.lost(),
                end != null || reply == null ? end : meaning(reply));
    }

    /** What ends the turn before a model is asked. */
    private Optional<TurnEnd> stop() {
        TurnBounds bounds = turn.bounds();
        TurnState state = turn.state();
        Optional<String> cancelled = turn.scope().cancellation().reason();
        if (cancelled.isPresent()) {
            return Optional.of(cancelled(cancelled.get()));
        }
        if (number > bounds.maxRounds()) {
            return Optional.of(stopped(TurnEnd.Cause.MAX_ROUNDS, "the turn has had " + bounds.maxRounds()
                    + " rounds, which is as many as it may have", "rounds", bounds.maxRounds()));
        }
        if (state.idle() >= bounds.idleRounds()) {
            return Optional.of(stopped(TurnEnd.Cause.NO_PROGRESS, "the last " + state.idle()
                    + " rounds brought neither text nor a successful call", "rounds", state.idle()));
        }
        long tokens = state.usage().total().orElse(0);
        if (bounds.maxTokens() > 0 && tokens >= bounds.maxTokens()) {
            return Optional.of(stopped(TurnEnd.Cause.TOKEN_BUDGET, "the turn has used " + tokens
                    + " tokens; it may use " + bounds.maxTokens(), "tokens", tokens));
        }
        Duration most = bounds.maxTime();
        Duration taken = Duration.between(turn.start().input().at(), turn.now());
        if (most != null && taken.compareTo(most) >= 0) {
            return Optional.of(stopped(TurnEnd.Cause.TIME_BUDGET, "the turn has taken " + taken
                    + " since it was accepted; it may take " + most, "millis", taken.toMillis()));
        }
        return Optional.empty();
    }

    static TurnEnd cancelled(String reason) {
        return new TurnEnd.Stopped(TurnEnd.Cause.CANCELLED, "the turn was cancelled: " + reason,
                Json.write(out -> out.beginObject().name("reason").value(reason).endObject()));
    }

    private static TurnEnd stopped(TurnEnd.Cause cause, String message, String unit, long count) {
        return new TurnEnd.Stopped(cause, message,
                Json.write(out -> out.beginObject().name(unit).value(count).endObject()));
    }

    /** Everything that arrived since the turn began and is in none of its rounds. */
    private List<Arrival> joined() {
        return turn.waiting()
                .stream()
                .map(Arrived::arrival)
                .filter(arrival -> !turn.state().taken().contains(arrival.id()))
                .toList();
    }

    /** What an answer means for the turn; null if it asks for calls. */
    private static @Nullable TurnEnd meaning(ModelResponse reply) {
        if (!reply.calls().isEmpty()) {
            return null;
        }
        if (reply.finish() == FinishReason.LENGTH) {
            return provider("output_limit", "the answer was cut at the limit of output tokens", reply.text());
        }
        if (reply.declined().isPresent()) {
            return new TurnEnd.Refused(reply.declined().get());
        }
        return reply.text().isBlank()
                ? provider("empty_reply", "the model answered with neither text nor calls", "")
                : new TurnEnd.Finished(reply.text(), null);
    }

    /** The end of a turn whose model gave no usable answer. */
    static TurnEnd provider(String code, String message, String partial) {
        return new TurnEnd.Stopped(TurnEnd.Cause.PROVIDER_ERROR, message, Json.write(out -> {
            out.beginObject().name("code").value(code);
            if (!partial.isEmpty()) {
                out.name("partial").value(partial);
            }
            out.endObject();
        }));
    }

    @Override
    public Json encode(RoundRecord round) {
        Json record = round.toJson();
        turn.recorded(record);
        return record;
    }

    @Override
    public RoundRecord decode(Json recorded) {
        RoundRecord round = RoundRecord.of(recorded);
        turn.recorded(recorded);
        return round;
    }

    /** Never asked: a round may be repeated. */
    @Override
    public RoundRecord doubt(Json input) {
        return new RoundRecord(List.of(), List.of(), null, null, Usage.NONE, null);
    }
}
