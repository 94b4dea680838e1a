package dev.belay.runtime.dispatch;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a call. Events are told in the process in which they happen and are not recorded.
 *
 * <p>Every call has exactly one {@link Started} and one {@link Finished}, also if it ends before its body. The process that finds
 * nothing recorded of a call tells its start; the process that records its end tells that. A call that is answered from its
 * record tells nothing. So a call that parks is started in one process and may be finished in another. Two things repeat an
 * event: a process that died between an event and its record, and a scope that waits a second time after a parked call of it
 * was settled, if it is entered again in another process.
 */
public sealed interface CallEvent {

    /** Which call. */
    CallReference call();

    /** The event as JSON; the form is stable. */
    default Json toJson() {
        return Json.write(out -> {
            out.beginObject();
            write(out);
            out.endObject();
        });
    }

    /** Writes the event into the object that is being written. */
    default void write(JsonWriter out) {
        out.name("event").value(switch (this) {
            case Started started -> "call_started";
            case Progress progress -> "call_progress";
            case Parked parked -> "call_parked";
            case InDoubt doubt -> "call_in_doubt";
            case Finished finished -> "call_finished";
        });
        call().write(out);
        switch (this) {
            case Started started -> {
            }
            case Progress(var call, String message, long dropped) ->
                out.name("message").value(message, RecordReader.HALF).name("dropped").value(dropped);
            case Parked(var call, String announcement) -> {
                if (announcement != null) {
                    out.name("announcement").value(announcement, RecordReader.HALF);
                }
            }
            case InDoubt(var call, String doubt, boolean held) ->
                out.name("doubt").value(doubt).name("held").value(held);
            case Finished(var call, ToolOutcome outcome) -> OutcomeJson.write(out.name("outcome"), outcome);
        }
    }

    /**
     * It was taken up.
     *
     * @param call which
     */
    record Started(CallReference call) implements CallEvent {}

    /**
     * Its body says how far it is.
     *
     * @param call which
     * @param message what it says
     * @param dropped how many messages before this one were dropped because the listener was too slow
     */
    record Progress(CallReference call, String message, long dropped) implements CallEvent {}

    /**
     * It waits for its completion, and that is recorded.
     *
     * @param call which
     * @param announcement what the body has to say to the user, or null
     */
    record Parked(CallReference call, @Nullable String announcement) implements CallEvent {}

    /**
     * It may have happened, and that is recorded.
     *
     * @param call which
     * @param doubt the id of the doubt
     * @param held whether the call waits until the doubt is settled; otherwise it is over
     */
    record InDoubt(CallReference call, String doubt, boolean held) implements CallEvent {}

    /**
     * It is over.
     *
     * @param call which
     * @param outcome as it is recorded
     */
    record Finished(CallReference call, ToolOutcome outcome) implements CallEvent {}
}
