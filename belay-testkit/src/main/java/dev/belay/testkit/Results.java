package dev.belay.testkit;

import dev.belay.Wait;
import dev.belay.model.Usage;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Makes results of turns for tests of the code that reads them. */
public final class Results {

    private static final SessionId SESSION = new SessionId("test");

    private Results() {}

    /** A turn that the model has answered. */
    public static TurnResult.Ended finished(String text) {
        return ended(new TurnEnd.Finished(text, null));
    }

    /** A turn that the model has refused to answer. */
    public static TurnResult.Ended refused(String reason) {
        return ended(new TurnEnd.Refused(reason));
    }

    /** A turn that has ended. */
    public static TurnResult.Ended ended(TurnEnd end) {
        return TurnResult.Ended.of(SESSION, 1, "input", end, 1, Usage.NONE, null, 0, List.of(), List.of());
    }

    /**
     * A turn that rests.
     *
     * @param next what comes when the rest is awaited
     */
    public static TurnResult.Resting resting(TurnResult next, Wait... waits) {
        return new TurnResult.Resting(SESSION, 1, "input", List.of(waits), known -> next);
    }

    /** A call that waits, for one kind of thing. */
    public static Wait waiting(Wait.Kind kind, String tool, String arguments) {
        return new Waiting(kind, tool, arguments);
    }

    private record Waiting(Kind kind, String tool, String arguments) implements Wait {

        @Override
        public String session() {
            return SESSION.value();
        }

        @Override
        public long turn() {
            return 1;
        }

        @Override
        public String detail() {
            return "";
        }

        @Override
        public String keyId() {
            return "key-of-" + tool;
        }

        @Override
        public String digest() {
            return kind == Kind.APPROVAL ? "digest-of-" + tool : "";
        }

        @Override
        public Instant since() {
            return Instant.EPOCH;
        }

        @Override
        public Optional<Instant> until() {
            return Optional.empty();
        }

        @Override
        public String code() {
            return "";
        }

        @Override
        public String command() {
            return "";
        }

        @Override
        public String toString() {
            return Wait.line(this);
        }
    }
}
