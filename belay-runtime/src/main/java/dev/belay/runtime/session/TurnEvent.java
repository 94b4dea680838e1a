package dev.belay.runtime.session;

import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.model.Usage;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.session.stream.EventJson;
import dev.belay.runtime.store.SessionId;
import java.time.Instant;
import java.util.List;

/**
 * An event in a session. Events are told by the process in which they happen and are not recorded; the results of a turn are in
 * the session.
 */
public sealed interface TurnEvent {

    /** The turn; 0 for a {@link Gap}. */
    long turn();

    /** The event as JSON, without the session but for a {@link Call}; the form is stable. */
    default Json toJson() {
        return EventJson.of(this);
    }

    /**
     * A turn begins: its model was not asked before.
     *
     * @param turn which turn
     * @param input the id of the input that started it
     */
    record TurnStarted(long turn, String input) implements TurnEvent {}

    /**
     * A model is about to be asked.
     *
     * @param turn which turn
     * @param round which round, from 1
     * @param joined inputs that were taken into the turn just now
     */
    record RoundStarted(long turn, int round, List<String> joined) implements TurnEvent {

        /** Copies the list. */
        public RoundStarted {
            joined = List.copyOf(joined);
        }
    }

    /**
     * A model is asked again; what was heard of this round before does not count.
     *
     * @param turn which turn
     * @param round which round
     * @param reason why
     */
    record RoundRestarted(long turn, int round, String reason) implements TurnEvent {}

    /**
     * A model failed in a way that may pass. It is asked again later; the turn holds no thread meanwhile. What was heard of this round
     * before does not count.
     *
     * @param turn which turn
     * @param round which round
     * @param attempt how often it has failed in this round, from 1
     * @param code of the failure
     * @param message the failure in words
     * @param due when it is asked again
     * @param until when the turn is stopped if the model still fails
     */
    record ModelWaiting(long turn, int round, int attempt, String code, String message, Instant due,
            Instant until) implements TurnEvent {}

    /**
     * More text.
     *
     * @param turn which turn
     * @param round which round
     * @param chunk any length
     */
    record Text(long turn, int round, String chunk) implements TurnEvent {}

    /**
     * More reasoning.
     *
     * @param turn which turn
     * @param round which round
     * @param chunk any length
     */
    record Reasoning(long turn, int round, String chunk) implements TurnEvent {}

    /**
     * Something happened to a call.
     *
     * @param session whose
     * @param turn which turn
     * @param event what, with the tool and its arguments
     */
    record Call(SessionId session, long turn, CallEvent event) implements TurnEvent {}

    /**
     * A plugin tells something.
     *
     * @param turn which turn
     * @param plugin its id
     * @param name of the event
     * @param data what it says
     */
    record Plugin(long turn, String plugin, String name, Json data) implements TurnEvent {}

    /**
     * A round is recorded.
     *
     * @param turn which turn
     * @param round which round
     * @param usage what it cost
     */
    record RoundEnded(long turn, int round, Usage usage) implements TurnEvent {}

    /**
     * The turn rests: nothing in it goes on until one of these waits is answered.
     *
     * @param turn which turn
     * @param waits what it waits for
     */
    record Resting(long turn, List<Wait> waits) implements TurnEvent {

        /** Copies the list. */
        public Resting {
            waits = List.copyOf(waits);
        }
    }

    /**
     * The turn is committed.
     *
     * @param turn which turn
     * @param result what came of it
     */
    record Committed(long turn, TurnResult.Ended result) implements TurnEvent {}

    /**
     * Events are missing: they were told by another process, or too long ago.
     *
     * @param missed how many; -1 if that is not known
     */
    record Gap(long missed) implements TurnEvent {

        @Override
        public long turn() {
            return 0;
        }
    }
}
