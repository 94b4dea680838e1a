package dev.belay.runtime.store.journal;

import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.EffectHost;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeOperations;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.Store;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.Incarnation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A host whose records share a store with sessions and processes: a write of those may claim, settle or end a scope of this host,
 * and tells it so. Thread-safe.
 */
public interface JournalHost extends EffectHost {

    /** Serves other kinds from now on. */
    void serve(Set<String> kinds);

    /** Claims one scope by its name, whatever its kind; empty if it runs, is stuck, has ended or is unknown. */
    Optional<Claim> claim(ScopeId scope);

    /** Gives back a claim that is not run. */
    void giveBack(Claim claim);

    /** Runs a scope that {@link #claim} has claimed. */
    void resume(Claim claim);

    /** Runs a scope that a write of the store has submitted and claimed for this host. */
    void adopt(Claim claim);

    /** Makes a write that may claim a scope for this host. If its answer is lost, the scope is found all the same. */
    <T> T claiming(ScopeId scope, Supplier<T> write);

    /**
     * Makes a write that may claim a scope which only the store can name afterwards.
     *
     * @param whose tells such writes apart
     */
    <T> T claiming(Object whose, Supplier<Optional<ScopeId>> scope, Supplier<T> write);

    /** Wakes threads that join a scope, because a write of the store has ended it. */
    void ended(ScopeId scope);

    /** Throws {@code runtime_not_started} if no scope is entered here yet. */
    void requireServing();

    /** Throws {@code journal_closed} if it drains or is closed, unless a body running here asks. */
    void requireOpen();

    /** Whether a scope that is submitted now would be run here at once. */
    boolean hasRoom();

    /** The verbs of an operator by writes of another store over the same rows, such as one that leaves a note. */
    ScopeOperations by(Store other);

    /** The records of a scope. */
    List<EffectRow> effects(ScopeId scope);

    /** Settles a wait by a key that the store has kept. It needs no signature, so it works after its secret was revoked. */
    Delivery settle(String kept, Resolution value);

    /**
     * The key of a wait, as its scope makes it.
     *
     * @param secret which signs keys of the scope
     * @throws dev.belay.BelayException {@code secret_unavailable} if this program does not have it
     */
    CompletionKey key(ScopeId of, Incarnation incarnation, long secret, WaitName name);

    /** Settles a wait without its key, for the owner of the scope. */
    Delivery resolve(ScopeId of, Incarnation incarnation, WaitName name, Resolution value);

    /** Tells that a write of the store has settled a wait, and runs the scope if that has woken it. */
    void settled(ScopeId of, WaitName name, Resolution value, @Nullable Claim woken);

    /** Runs a task on a thread that {@link #close} waits for. */
    void spawn(Runnable task);

    /** Whether it drains or is closed. */
    boolean isClosing();

    /** Whether nothing more begins in a scope, because this host closes: an interrupt may mean only that. */
    boolean stops(ScopeId scope);

    /**
     * Drains, then closes. Nothing more begins, except in scopes that a body running here waits for. Work that runs is recorded, and
     * its scope given back, uncounted. After the given time what still runs is interrupted. A second caller waits for the first.
     *
     * @param drain zero to interrupt at once
     */
    void close(Duration drain);

    /** A pause has begun or ended by a write of this process. */
    void pausesChanged();

    /** The pauses in force, as far as they are known here. */
    Pauses pauses();

    /** How far a host is. */
    enum Stage {
        NOT_SERVING, SERVING, DRAINING, CLOSED, FAILED
    }

    /** How far it is. */
    Stage stage();

    /** What the scopes that run here started from. */
    List<ScopeInput> running();

    /** The effects that are at work here. */
    List<Working> working();

    /** How many calls of a scope run here, or go on by themselves. */
    int atWork(ScopeId scope);

    /** Runs an action when a call of a scope that runs here is no longer at work. */
    void watch(ScopeId scope, Runnable action);

    /** Makes the joiners of a scope look again. */
    void lookAgain(ScopeId scope);

    /**
     * An effect at work.
     *
     * @param scope what its scope started from
     * @param what its kind, such as {@code round}, or the name of a tool behind {@code tool }
     */
    record Working(ScopeInput scope, String what) {

        private static final String TOOL = "tool ";

        /** The effect of a tool's body. */
        public static String of(String tool) {
            return TOOL + tool;
        }

        /** The tool, if it is a body of one. */
        public Optional<String> tool() {
            return what.startsWith(TOOL) ? Optional.of(what.substring(TOOL.length())) : Optional.empty();
        }
    }
}
