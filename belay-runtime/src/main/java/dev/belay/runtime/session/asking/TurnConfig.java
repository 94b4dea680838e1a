package dev.belay.runtime.session.asking;

import dev.belay.runtime.session.TurnSettings;
import java.util.List;
import java.util.Objects;

/** The settings of one session as one turn sees them. Changed by the turn's thread alone; its calls read them. */
public final class TurnConfig {

    private final SessionSettings runtime;
    private final TurnSettings turn;
    private volatile TurnSettings session;
    private volatile boolean changed;

    /**
     * The settings of a turn.
     *
     * @param runtime what holds for all sessions
     * @param session what the session's turns have left
     * @param turn what the turn's input says
     */
    public TurnConfig(SessionSettings runtime, TurnSettings session, TurnSettings turn) {
        this.runtime = runtime;
        this.session = session;
        this.turn = turn;
    }

    public void apply(TurnSettings settings) {
        session = settings;
        changed = true;
    }

    /** What the session is to keep. */
    public TurnSettings session() {
        return session;
    }

    public boolean isChanged() {
        return changed;
    }

    /** What stands before the conversation: as the turn says, else the session, else the agent. */
    public String instructions() {
        return Objects.requireNonNullElse(turn.instructions(),
                Objects.requireNonNullElse(session.instructions(), runtime.instructions()));
    }

    /** The name of the model that answers, whether it is here or not. */
    public String modelName() {
        return Objects.requireNonNullElse(turn.model(),
                Objects.requireNonNullElse(session.model(), Models.DEFAULT));
    }

    /**
     * How a question is asked.
     *
     * @param nearer what the question says itself
     * @throws dev.belay.BelayException {@code unknown_variant} if the variant is not here
     */
    public ModelChoice choice(TurnSettings nearer) {
        return ModelChoice.of(runtime.models(), List.of(runtime.defaults(), session, turn, nearer));
    }
}
