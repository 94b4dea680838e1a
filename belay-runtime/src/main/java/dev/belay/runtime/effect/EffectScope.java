package dev.belay.runtime.effect;

import dev.belay.json.Json;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.Fence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The one way from a scope to everything that may differ between two runs. Effects are issued in an order that depends only on
 * recorded values; what was recorded is answered.
 *
 * <p>Confined to one thread: the one it was given to, or the one it was handed to. After {@link dev.belay.tool.context.Suspended} was
 * thrown, every method throws it again.
 *
 * <p>Throws {@link ReplayMismatchException} if code asks for something else than what was recorded,
 * {@link FencedException} if somebody else has taken the scope over, and {@link JournalException} if the store failed; none of
 * these may be caught by a runner.
 */
public interface EffectScope {

    /** The scope, or the one that this is a child of. */
    ScopeId id();

    /** Runs an effect, or answers it from its record. */
    <T> T run(Effect<T> effect);

    /**
     * The recorded value of an effect, without asking for it. Saves work on the way to something that is recorded already; a
     * host may always answer nothing.
     */
    Optional<Json> peek(EffectKey key);

    /**
     * Runs children side by side and waits for all of them. One without siblings may run on this thread. This scope cannot be
     * used meanwhile.
     *
     * @return their outcomes, in the order of the commands
     */
    List<ToolOutcome> children(List<ChildCommand> commands);

    /** Runs children one after another, in the order of the commands; otherwise as {@link #children}. */
    List<ToolOutcome> childrenInTurn(List<ChildCommand> commands);

    /**
     * Runs one child apart from others. Any thread may ask, and several at once; the child has a thread of its own.
     *
     * @return its outcome; empty if it waits, and is then run again by {@link #children}
     */
    Optional<ToolOutcome> child(ChildCommand command);

    /** Whether anything is recorded of a child. */
    boolean hasRecords(EffectKey child);

    /** Lets go of the scope until somebody claims or cancels it; throws {@link dev.belay.tool.context.Suspended}. */
    void rest();

    /**
     * Bytes that this scope keeps beside its records, under the name that {@link ScopeRunner#keeper} gives. Any thread may ask,
     * and use it.
     */
    Attachments attachments();

    /** The key by which a wait of this scope is settled from outside; the same every time. Any thread may ask. */
    CompletionKey completionKey(WaitName name);

    /**
     * Waits until a wait of this scope is settled or its deadline has come.
     *
     * @param key made by {@link #completionKey}; {@code unknown_wait} if it belongs to another scope
     * @param deadline counts when the scope first waits; what is recorded then holds for good
     */
    Resolution await(CompletionKey key, Deadline deadline);

    /** What a wait of this scope was settled with, without waiting. */
    Optional<Resolution> settled(WaitName name);

    /**
     * Settles a wait of this scope from inside.
     *
     * @return what won, which may have been there before
     */
    Resolution settle(WaitName name, Resolution value);

    /** Waits for a time; the end of the wait is recorded. Returns early if the scope is cancelled. */
    void sleep(EffectKey key, Duration duration);

    /** Waits until a moment that was recorded before. Returns early if the scope is cancelled. */
    void sleepUntil(Instant due);

    /** The time when this was first asked. */
    Instant now(EffectKey key);

    /** Grows each time the scope is taken. */
    Fence fence();

    /** Whether somebody wants the scope to end. */
    Cancellation cancellation();

    /**
     * Runs an action when the scope is cancelled, at once if it is already. The action runs on another thread and must be short.
     *
     * @return takes the action back
     */
    Runnable onCancel(Consumer<String> action);

    /** Where a result goes that comes after its effect was settled. May be used by any thread, also after the scope's end. */
    Consumer<Json> lateSink(EffectKey key);

    /**
     * Takes a resource for code that is no effect, such as a resumable body. Waiters are served in their order.
     *
     * @param key tells holders of one scope apart
     */
    Held hold(EffectKey key, String resource);

    /**
     * A resource that is held.
     *
     * @param fence grows with each holder
     * @param release lets it go; any thread, once
     */
    record Held(Fence fence, Runnable release) {}

    /**
     * Gives the scope to another thread until {@link #takeBack}. The caller must not use it meanwhile.
     *
     * @param thread who may use it now
     */
    void handOver(Thread thread);

    /** Takes the scope back from whoever had it; that thread's further calls fail with {@code call_ended}. */
    void takeBack();
}
