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
import org.jspecify.annotations.Nullable;

/**
 * The only way from a runner to everything that may differ between two runs. A runner issues effects in an order that depends only on
 * recorded values; a recorded effect is answered from its record.
 *
 * <p>Confined to one thread: the thread that entered the scope, or the thread it was handed to. After
 * {@link dev.belay.tool.context.Suspended} was thrown, every method throws it again.
 *
 * <p>Methods throw {@link ReplayMismatchException} if an effect differs from its record, {@link FencedException} if another owner has
 * taken the scope over, and {@link JournalException} if the store failed. A runner must not catch them.
 */
public interface EffectScope {

    /** The id of the scope; a child has the id of its parent. */
    ScopeId id();

    /** Runs an effect, or answers it from its record. */
    <T> T run(Effect<T> effect);

    /** The recorded value of an effect, without issuing it; empty if it has none. */
    Optional<Json> peek(EffectKey key);

    /** Whether an earlier entry may have left records; if not, {@link #peek} finds only those that this entry has made. */
    default boolean hasEarlierRecords() {
        return true;
    }

    /**
     * Runs children side by side and waits for all of them. A child without siblings may run on this thread. This scope cannot
     * be used meanwhile.
     *
     * @return their outcomes, in the order of the commands
     */
    List<ToolOutcome> children(List<ChildCommand> commands);

    /** Runs children one after another, in the order of the commands; otherwise like {@link #children}. */
    List<ToolOutcome> childrenInTurn(List<ChildCommand> commands);

    /**
     * Runs one child apart from others. Any thread may ask, and several at once; the child has a thread of its own.
     *
     * @return its outcome; empty if it waits, then {@link #children} runs it again
     */
    Optional<ToolOutcome> child(ChildCommand command);

    /** Whether a child has records. */
    boolean hasRecords(EffectKey child);

    /** Parks the scope until it is claimed by name or cancelled; throws {@link dev.belay.tool.context.Suspended}. */
    void rest();

    /** Parks the scope and makes it ready at once, so that its runner starts from nothing; throws {@link dev.belay.tool.context.Suspended}. */
    void startAnew();

    /**
     * Parks the scope like {@link #rest} because a model does not answer, and no longer than until a moment; no thread is held meanwhile.
     *
     * @param asks what the model is asked for, for lists; a scope that rests for the same again waits since the first time
     */
    void restUntil(Instant due, String asks);

    /**
     * The same because this program cannot run the scope as it is; any process that serves the scope looks again at that moment.
     *
     * @param plugin whether it lacks a build of a plugin; otherwise it is configured wrongly
     * @param why what is wrong, for lists
     */
    void restForProgram(Instant due, boolean plugin, String why);

    /** Whether a record was written since the scope was entered. */
    boolean hasRecorded();

    /**
     * Bytes that this scope keeps beside its records, under the name that {@link ScopeRunner#keeper} gives. Any thread may call
     * this and use the result.
     */
    Attachments attachments();

    /** The key by which a wait of this scope is settled from outside; the same every time. Any thread may call this. */
    CompletionKey completionKey(WaitName name);

    /**
     * The same, after the schema of the values that may settle the wait was kept: others are refused. Any thread may call this.
     *
     * @param schema as {@code JsonSchema.kept} writes it
     */
    CompletionKey completionKey(WaitName name, Json schema);

    /**
     * Waits until a wait of this scope is settled or its deadline has come.
     *
     * @param key made by {@link #completionKey}; {@code unknown_wait} if it belongs to another scope
     * @param deadline is recorded when the scope first waits; a later one is ignored
     */
    default Resolution await(CompletionKey key, Deadline deadline) {
        return await(key, deadline, null);
    }

    /**
     * The same with a text for lists of what waits.
     *
     * @param announcement is recorded when the scope first waits; null for none
     */
    Resolution await(CompletionKey key, Deadline deadline, @Nullable String announcement);

    /** The resolution of a wait of this scope, without waiting. */
    Optional<Resolution> settled(WaitName name);

    /**
     * Settles a wait of this scope from inside.
     *
     * @return the resolution that was first, which may be an earlier one
     */
    Resolution settle(WaitName name, Resolution value);

    /** Waits for a time; the end of the wait is recorded. Returns early if the scope is cancelled. */
    void sleep(EffectKey key, Duration duration);

    /** Waits until a moment that was recorded before. Returns early if the scope is cancelled. */
    void sleepUntil(Instant due);

    /** The time of the first call with this key. */
    Instant now(EffectKey key);

    /**
     * Says for lists that the scope asks a model, until the answer or {@link #restUntil}. Lists say so only if the answer takes a while. Any
     * thread may call this.
     *
     * @param what is asked, such as a round; null once the model has answered
     */
    void asks(@Nullable String what);

    /** The fence of the claim; it grows each time the scope is taken. */
    Fence fence();

    /** Whether the scope was cancelled. */
    Cancellation cancellation();

    /**
     * Runs an action when the scope is cancelled, at once if it is already. The action runs on another thread and must be short.
     *
     * @return takes the action back
     */
    Runnable onCancel(Consumer<String> action);

    /**
     * Waits while this process cannot be sure that it still has the scope. A body begins behind it, and never without.
     *
     * @throws FencedException if another process may have it
     */
    void awaitSure();

    /**
     * Has a body stopped that holds a resource, when its process may lose that. It may be called more than once, on any thread.
     *
     * @return is called when the body has ended
     */
    Runnable onLetGo(Runnable stop);

    /** Keeps a result that comes after its effect was settled. Any thread may use it, also after the scope's end. */
    Consumer<Json> lateSink(EffectKey key);

    /**
     * Takes a resource for code that is not an effect, such as a resumable body. Waiters get it in their order.
     *
     * @param key distinguishes the holders of one scope
     */
    Held hold(EffectKey key, String resource);

    /**
     * A resource that is held.
     *
     * @param fence grows with each holder
     * @param release releases it; any thread, once
     */
    record Held(Fence fence, Runnable release) {}

    /**
     * Gives the scope to another thread until {@link #takeBack}. The caller must not use it meanwhile.
     *
     * @param thread that may use it now
     */
    void handOver(Thread thread);

    /** Takes the scope back from the thread that has it; further calls of that thread fail with {@code call_ended}. */
    void takeBack();
}
