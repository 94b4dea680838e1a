package dev.belay.runtime.dispatch.body;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.DispatchListener;
import dev.belay.runtime.dispatch.gate.Gating;
import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of calls, a turn or a process, adds to them. A method that is not overridden adds nothing. Thread-safe: calls
 * of a batch run side by side.
 */
public interface CallOwner {

    /** Adds nothing. */
    CallOwner NONE = new CallOwner() {};

    /** Hears what happens to the calls. */
    default DispatchListener listener() {
        return DispatchListener.SILENT;
    }

    /** Where the calls belong, by keys of the MDC: set in every line that a body logs. */
    default Map<String, String> marks() {
        return Map.of();
    }

    /** The hooks of the calls; null for those of the dispatcher. */
    default @Nullable CallHooks hooks() {
        return null;
    }

    /** What providers may read when they prepare, by the id of its {@link dev.belay.tool.context.PluginBinding}. */
    default Json inputs() {
        return Json.EMPTY_OBJECT;
    }

    /**
     * Gives a body more than a call has by itself.
     *
     * @param context of the call alone; also {@link dev.belay.tool.context.HostSupplied}, which the answer must be too
     * @param call whose
     * @param left takes what the call leaves behind for its session
     */
    default ToolContext around(ToolContext context, CallReference call, Left left) {
        return context;
    }

    /** Takes what a call leaves behind beside its outcome; recorded with that. Thread-safe; throws once the call has ended. */
    interface Left {

        /** A change of the session's state. Counts if the call succeeds. */
        void changed(Json change);

        /** Something that was used up, or begun. Counts however the call ends, and for attempts that were not its last, too. */
        void spent(Json spending);
    }

    /**
     * Keeps an event that a step of a resumable body tells.
     *
     * @param scope of the call, on its thread
     * @param key the same each time the body is entered
     */
    default void tell(EffectScope scope, String key, String type, Json payload) {
        throw noProcess(type);
    }

    /** The failure of an event that is told outside a process. */
    static ToolException noProcess(String type) {
        return new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE,
                "durable_effect_process_event_unavailable",
                "event \"" + type + "\" needs a process; this call runs outside of one"));
    }

    /** Where the calls belong. */
    default Lineage lineage() {
        return Lineage.NONE;
    }

    /**
     * Where calls belong.
     *
     * @param session the session, or null outside any
     * @param family what a session shares with those that it was forked from or made by, or null outside any session
     */
    record Lineage(@Nullable String session, @Nullable String family) {

        /** Outside any session. */
        public static final Lineage NONE = new Lineage(null, null);
    }

    /** What a policy may know of the owner. */
    default Gating gating() {
        return Gating.NONE;
    }

    /** A person was asked about a call. Said on every entry of its scope, from any thread. */
    default void asked(CallReference call) {}

    /** Takes what a call has left behind, in the order in which it was left; on every entry of its scope, from any thread. */
    default void note(CallReference call, Aftermath aftermath) {}

    /** What the body of a call has left behind that died with its process, as far as the store knows; it counts however the call ends. */
    default List<Json> leftByDead(CallReference call) {
        return List.of();
    }

    /** Hooks of a call have left something that was just recorded. */
    default void recorded(CallReference call, List<Json> left) {}

    /** A call has its outcome, recorded before or now. Said on every entry, on the thread of the call's scope. */
    default void ended(EffectScope scope, CallReference call, ToolOutcome outcome) {}
}
