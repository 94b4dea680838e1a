package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.model.ModelException;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.plugin.engine.OutputHooks;
import dev.belay.runtime.plugin.engine.PluginFailure;
import dev.belay.runtime.plugin.engine.RoundHooks;
import dev.belay.runtime.plugin.engine.TurnHooked;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.asking.FailedTry;
import dev.belay.runtime.session.asking.ModelChoice;
import dev.belay.runtime.session.asking.Outage;
import dev.belay.runtime.session.asking.UnansweredException;
import dev.belay.runtime.session.inbox.JoinedArrivals;
import dev.belay.runtime.session.inbox.SessionCommand;
import dev.belay.runtime.session.state.Question;
import dev.belay.runtime.session.state.RoundRecord;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.tool.ToolEffect;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * One round: takes the arrivals that wait, offers the tools of today, asks the model, and records all of it.
 *
 * <p><b>Durability.</b> One record holds all of it. A model that fails in a way that may pass leaves none: {@link RoundTries} records
 * the failure and asks again later. A model that was asked by a process that died is asked again; what the first
 * answer cost is not known, and the record says so. <b>Recovery.</b> The identity covers the input and the round before, never what was rendered from
 * them: a prompt, a tool or a model that has changed since does not matter to rounds that are recorded.
 */
public final class RoundEffect implements Effect<RoundRecord> {

    private static final String LEFT = "a process that may have asked before is gone";

    private final SessionTurn turn;
    private final int number;
    private final String previous;
    private final Outage outage;

    /**
     * A round.
     *
     * @param number from 1
     * @param previous hash of the record before
     * @param outage what was tried in this round before
     */
    RoundEffect(SessionTurn turn, int number, String previous, Outage outage) {
        this.turn = turn;
        this.number = number;
        this.previous = previous;
        this.outage = outage;
    }

    /** A round that is recorded. */
    public static RoundEffect recorded(SessionTurn turn, int number, String previous) {
        return new RoundEffect(turn, number, previous, Outage.NONE);
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
    public List<String> pausedBy() {
        return turn.pausedBy();
    }

    @Override
    public Plan plan() {
        return Plan.of(ToolEffect.READ, Json.EMPTY_OBJECT);
    }

    @Override
    public RoundRecord run(Running running) {
        boolean unrecorded = running.perhapsBefore();
        Optional<TurnEnd> stop = turn.stop(number);
        if (stop.isPresent()) {
            return RoundRecord.ended(turn.before(), unrecorded, stop.get());
        }
        List<Arrival> joined = turn.shown().show(this::joined);
        try {
            return asked(running, joined, unrecorded);
        } catch (RuntimeException | Error unanswered) { // nothing is recorded, so these inputs may be withdrawn again
            turn.shown().unshow(joined);
            throw unanswered;
        }
    }

    private RoundRecord asked(Running running, List<Arrival> joining, boolean unrecorded) {
        TurnHooked before = turn.opening(number, joining);
        List<Arrival> joined = turn.commands().actions().in(joining);
        turn.plugins().start(number, before);
        if (before.stop() != null) {
            return unasked(joined, unrecorded, TurnStops.plugin(before.stop()), before);
        }
        turn.inheritOutputs(joined);
        Question question;
        try {
            question = turn.question(joined);
        } catch (PluginFailure failure) {
            return unasked(joined, unrecorded, TurnStops.plugin(failure.stop()), before);
        }
        turn.history()
                .check(number, question.request(), question.choice(), SessionCommand.compacting(joined));
        turn.tell(new TurnEvent.RoundStarted(turn.start().turn(), number,
                joined.isEmpty() ? List.of() : joined.stream().map(Arrival::id).toList()));
        OptionalLong context = question.choice().maxContextTokens();
        long tokens = context.isEmpty() ? 0 : turn.history().tokens(question.request(), question.choice());
        if (context.isPresent() && tokens > context.getAsLong()) {
            TurnEnd end = turn.tooLong(tokens, context.getAsLong());
            return unasked(joined, unrecorded, end, before);
        }
        FailedTry last = outage.last();
        if (unrecorded || last != null) {
            turn.tell(new TurnEvent.RoundRestarted(turn.start().turn(), number,
                    last == null ? LEFT : last.message()));
        }
        ModelResponse reply = null;
        TurnEnd end;
        String wrong = null;
        Usage lost = turn.unrecorded();
        try {
            turn.history().requireChanged();
            OutputHooks output = turn.plugins().output();
            ModelResponse said = new ModelCall(turn, number, question, output).ask();
            try {
                reply = output.response(said);
                wrong = turn.wrongForm(reply);
                end = wrong == null ? turn.meaning(reply) : null;
            } catch (PluginFailure failure) { // what was said is paid for, and no part of the conversation
                lost = lost.plus(said.usage());
                end = TurnStops.plugin(failure.stop());
            }
        } catch (ModelException failure) {
            lost = lost.plus(failure.usage());
            end = end(running, question, failure, unrecorded);
        }
        TurnHooked after = turn.completing(number, joined, reply, end);
        if (after.stop() != null) {
            end = TurnStops.plugin(after.stop());
        } else if (!after.said().isEmpty()) {
            end = null;
        }
        turn.plugins().start(number, after);
        return new RoundRecord(turn.before(), joined,
                RoundRecord.asked(turn.services().settings().models(), question, lost, reply), reply, lost,
                unrecorded,
                end, wrong,
                new RoundHooks(before, after, reply == null ? Map.of() : turn.decided(number, reply)));
    }

    /** A round that ends the turn before the model is asked. */
    private RoundRecord unasked(List<Arrival> joined, boolean unrecorded, TurnEnd end, TurnHooked before) {
        return new RoundRecord(turn.before(), joined, null, null, Usage.NONE, unrecorded, end)
                .with(new RoundHooks(before, TurnHooked.NONE, Map.of()));
    }

    /** How a failure ends the turn; throws if it does not, or if nothing is to be recorded of it. */
    private TurnEnd end(Running running, Question question, ModelException failure,
            boolean unrecorded) {
        Optional<String> cancelled = turn.scope().cancellation().reason();
        if (cancelled.isPresent()) {
            return TurnStops.cancelled(cancelled.get());
        }
        TurnServices services = turn.services();
        if (services.host().stops(turn.scope().id())) {
            running.recordStart(null); // the mark of a question whose cost will not be known
            throw failure;
        }
        ModelChoice choice = question.choice();
        turn.history().refused(number, question.request(), choice, failure);
        BigDecimal cost = services.settings().models().cost(choice.model(), failure.usage());
        Optional<FailedTry> again = outage.failed(failure, choice, cost, unrecorded, services.time().now(),
                services.random());
        if (again.isPresent()) {
            throw new UnansweredException(again.get(), failure);
        }
        return turn.unanswered(failure, failure.usage());
    }

    /** What arrived since the turn began, is in none of its rounds, and may join it. */
    private List<Arrival> joined() {
        List<Arrived> waiting = turn.services().inbox().waiting(turn.start().session());
        return waiting.isEmpty() ? List.of() : JoinedArrivals.joining(waiting, turn.state().taken());
    }

    @Override
    public void recorded(RoundRecord round) {
        turn.told(round.hooks().before().left());
        turn.told(round.hooks().after().left());
        if (!round.hooks().calls().isEmpty()) {
            new TreeMap<>(round.hooks().calls()).values().forEach(call -> turn.told(call.left()));
        }
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
    public RoundRecord doubt(Running started) {
        return new RoundRecord(null, List.of(), null, null, Usage.NONE, false, null);
    }
}
