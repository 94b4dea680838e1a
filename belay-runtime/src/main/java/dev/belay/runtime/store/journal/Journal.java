package dev.belay.runtime.store.journal;

import dev.belay.json.Json;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeView.LateResult;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Incarnation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where records are kept. What an implementer promises ({@code JournalContract} in the test kit checks it):
 *
 * <ul>
 * <li>Every method may be called by many threads at once and blocks. An interrupt neither stops a write nor is lost: it is set
 * again when the method returns.
 * <li>A write is atomic, and durable when the method returns. It succeeds, is refused, or fails alone, also if it shares a
 * commit with others. Two writes of one thread are applied in their order.
 * <li>Each write that carries a {@link Claim} is refused ({@link Refusal#FENCED}) unless the scope is running, owned by this
 * journal, with exactly that fence. Each one that is applied resets the entries of its scope, {@link #park},
 * {@link #reenter}, {@link #giveBack}, {@link #take} and {@link #keep} apart; so do settling a wait and cancelling.
 * <li>An owner is alive as long as its journal is open in a process that lives. That is decided without a clock.
 * <li>A {@link JournalProbe} hears of each write that is applied, by its name; one write for each scope
 * that is taken.
 * <li>A result of which {@link LargeResult} is not empty is kept by content, once; so are attachments. Bytes are durable before
 * whatever refers to them.
 * <li>What fails is a {@link JournalException}; then either nothing was written, or all of it and the method is told so by
 * looking it up.
 * </ul>
 *
 * Times are given by the caller; a journal reads no clock, and keeps microseconds at least.
 */
public interface Journal extends AutoCloseable {

    /** Why a write was not applied. */
    enum Refusal {
        /** The scope was taken over, has ended or does not exist. */
        FENCED,
        /** The resource has another holder, who is alive. */
        BUSY,
        /** A doubt about the same call, or about its resource, is not settled. */
        DOUBT,
        /** The wait that it would close has an answer. */
        ANSWERED,
        /** The effect is recorded already. */
        CONFLICT
    }

    /**
     * The right to run a scope.
     *
     * @param scope which
     * @param input what it starts from
     * @param fence grows by one each time the scope is taken
     * @param incarnation made with the scope, so that keys of a scope that was deleted stay useless
     * @param secret which secret signs the scope's keys, unless it was revoked
     * @param entries how often the scope was entered since its last record, this time included
     * @param cancelReason why the scope should end, or null
     * @param left whether its last owner died while it ran, so that more may have been done than is recorded
     */
    record Claim(ScopeId scope, ScopeInput input, long fence, Incarnation incarnation, long secret,
            int entries, @Nullable String cancelReason, boolean left) {

        /** The right to run a scope whose last owner did not die. */
        public Claim(ScopeId scope, ScopeInput input, long fence, Incarnation incarnation, long secret,
                int entries, @Nullable String cancelReason) {
            this(scope, input, fence, incarnation, secret, entries, cancelReason, false);
        }

        /** The same for a scope whose last owner died while it ran. */
        public Claim ofTheDead() {
            return new Claim(scope, input, fence, incarnation, secret, entries, cancelReason, true);
        }

        /** The same after its owner has written a record. */
        public Claim recorded() {
            return left
                    ? new Claim(scope, input, fence, incarnation, secret, entries, cancelReason)
                    : this;
        }
    }

    /** What became of a submission. */
    sealed interface Submission {

        /**
         * The scope is new.
         *
         * @param claim the right to run it, or null if it was not asked for
         */
        record Created(@Nullable Claim claim) implements Submission {}

        /** The scope is known, with the same input. */
        record Known() implements Submission {}

        /**
         * The scope is known with another input.
         *
         * @param recorded that input
         */
        record Conflict(ScopeInput recorded) implements Submission {}
    }

    /** What became of a request to park. */
    sealed interface Parking {

        /** The scope waits and has no owner any more. */
        record Parked() implements Parking {}

        /** Something it would wait for has happened; it is still claimed. Read its waits and cancellation again. */
        record Again() implements Parking {}

        /** Nothing was written. */
        record Fenced() implements Parking {}
    }

    /** What became of a resolution. */
    sealed interface Settlement {

        /**
         * It is the wait's.
         *
         * @param woken the right to run the scope, if this made it ready and it was asked for
         */
        record Accepted(@Nullable Claim woken) implements Settlement {}

        /**
         * Another one was first.
         *
         * @param winner that one
         */
        record Lost(Resolution winner) implements Settlement {}

        /** There is no such scope, it has another incarnation, or it has ended without that wait. */
        record Unknown() implements Settlement {}
    }

    /**
     * What became of a request to cancel.
     *
     * @param receipt what the caller is told
     * @param woken the right to run the scope, if it was parked and the right was asked for
     */
    record Cancelling(CancelReceipt receipt, @Nullable Claim woken) {}

    /**
     * A record as it was read.
     *
     * @param key the effect, with the path of its child scope in front
     * @param ordinal its place among the effects of its scope
     * @param kind what sort of work
     * @param hash of its identity
     * @param identity what the hash covers, for a readable difference
     * @param status how it stands
     * @param input what it ran with, or null
     * @param result value or failure, or null; a large one is read in full too. Of a started effect that must not be repeated, whose
     *        process runs it
     * @param fingerprint of the tool, or null
     * @param effect whether the work may be repeated, or null
     * @param resource what it took, or null
     * @param fence of the claim that wrote it
     */
    record EffectRow(String key, int ordinal, String kind, String hash, Json identity, Status status,
            @Nullable Json input, @Nullable Json result, @Nullable String fingerprint,
            @Nullable ToolEffect effect,
            @Nullable String resource, long fence) {

        /** In place of the result of a started effect: the host was closed before it began. */
        public static final Json NOT_BEGUN = Json.string("not begun");

        private static final String OWNER = "owner";

        /** In place of the result of a started effect: whose process runs it. */
        public static Json startedBy(String owner) {
            return Json.write(out -> out.beginObject().name(OWNER).value(owner).endObject());
        }

        /** Whose process has run a started effect last; null if that is not known, or the host was closed before its end. */
        public @Nullable String startedBy() {
            return status == Status.STARTED && result != null && result.kind() == Json.Kind.OBJECT
                    ? RecordReader.optionalText(result, OWNER)
                    : null;
        }

        /** Whether the start is recorded and the work has not begun. */
        public boolean isNotBegun() {
            return NOT_BEGUN.equals(result);
        }

        /** How an effect stands. */
        public enum Status {
            /** Work began. */
            STARTED,
            /** It has a value. */
            COMPLETED,
            /** It has a failure. */
            FAILED,
            /** Its outcome is unknown; the result says so. */
            IN_DOUBT
        }

        /** The same record with another result, written under a fence. */
        public EffectRow with(@Nullable Json other, long by) {
            return new EffectRow(key, ordinal, kind, hash, identity, status, input, other, fingerprint,
                    effect, resource, by);
        }
    }

    /**
     * A record to be written: a new one, or the end of one that was started. An existing record is replaced only if its status
     * is {@code STARTED}.
     *
     * @param row the record; its result is stored by content if it is large
     * @param takes a resource to take in the same write, or null; {@code BUSY} if another holder has it
     * @param releases a resource to release in the same write, or null
     * @param opens waits to open in the same write
     * @param closes a wait whose answer is not needed any more, or null: {@code ANSWERED} if it has one; else it is closed in the
     *        same write, unless a doubt of this write holds its call
     * @param guard refused if a doubt with this guard or about the resource of the record is open, and busy while
     *        the process of such a call has died and no other has taken it over; null for no such question
     * @param doubts to open in the same write, at most one
     * @param notes for the audit log, in the same write
     * @param issued the schema of a wait to be kept in the same write, as {@link #issue} keeps it, or null
     * @param follows a settlement that must be as it was read, or null: {@code ANSWERED} with what it is, if it is another one by now
     * @param at the time
     */
    record EffectWrite(EffectRow row, @Nullable String takes,
            @Nullable String releases, List<OpenWait> opens, @Nullable WaitName closes,
            @Nullable String guard, List<OpenDoubt.Of> doubts, List<Effect.Note> notes,
            Effect.@Nullable Issued issued, Effect.@Nullable Follows follows, Instant at) {

        /** Copies the lists. */
        public EffectWrite {
            opens = List.copyOf(opens);
            doubts = List.copyOf(doubts);
            notes = List.copyOf(notes);
        }

        /** A record that follows from no settlement. */
        public EffectWrite(EffectRow row, @Nullable String takes, @Nullable String releases,
                List<OpenWait> opens, @Nullable WaitName closes, @Nullable String guard,
                List<OpenDoubt.Of> doubts, List<Effect.Note> notes, Effect.@Nullable Issued issued,
                Instant at) {
            this(row, takes, releases, opens, closes, guard, doubts, notes, issued, null, at);
        }

        /** A record with which no schema is kept. */
        public EffectWrite(EffectRow row, @Nullable String takes, @Nullable String releases,
                List<OpenWait> opens, @Nullable WaitName closes, @Nullable String guard,
                List<OpenDoubt.Of> doubts, List<Effect.Note> notes, Instant at) {
            this(row, takes, releases, opens, closes, guard, doubts, notes, null, at);
        }

        /** A record that no doubt forbids and that opens none. */
        public EffectWrite(EffectRow row, @Nullable String takes, @Nullable String releases,
                List<OpenWait> opens, Instant at) {
            this(row, takes, releases, opens, null, null, List.of(), List.of(), at);
        }
    }

    /**
     * What a write led to.
     *
     * @param refusal why it was not applied, or null if it was
     * @param resourceFence the fence of the resource that was taken, or 0
     * @param doubt the doubt that refused it, or null
     * @param answer the answer that refused it, or null
     */
    record Written(@Nullable Refusal refusal, long resourceFence, @Nullable String doubt,
            @Nullable Resolution answer) {

        /** It was applied, and took no resource. */
        public static final Written DONE = new Written(null, 0);

        /** What neither a doubt nor an answer has refused. */
        public Written(@Nullable Refusal refusal, long resourceFence) {
            this(refusal, resourceFence, null, null);
        }

        /** What a doubt has refused. */
        public static Written doubted(String doubt) {
            return new Written(Refusal.DOUBT, 0, doubt, null);
        }
    }

    /**
     * How long ago writes of this journal ended.
     *
     * @param sinceGood the last one that was answered; null if none was
     * @param sinceFailed the last one that failed because of the store; null if none has
     */
    record Writes(@Nullable Duration sinceGood, @Nullable Duration sinceFailed) {}

    /** How its last writes went. */
    Writes writes();

    /** Since when the oldest ready scope waits that {@link #takeReady} would take; empty if there is none. */
    Optional<Instant> readySince();

    /** Who this journal is among those that share the records. */
    String owner();

    /**
     * Accepts a scope.
     *
     * @param take whether to own it at once, if its kind is served
     */
    Submission submit(ScopeId scope, ScopeInput input, boolean take, Instant at);

    /**
     * Says which scopes this journal takes by itself from now on: those whose input is of one of these kinds, by
     * {@link #takeReady}, {@link #takeDue}, {@link #resolve} and {@link #cancel}. Others become ready, and are left to journals
     * that take their kind or {@link #claim} them. All kinds are taken until this is called. Not kept.
     */
    void serve(Set<String> kinds);

    /**
     * Takes turns by itself only of these sessions, and of sessions that calls have made below them; of all if there are none. Not kept.
     *
     * @param sessions each with the last of its turns that is taken
     */
    void limit(Map<String, Long> sessions);

    /** Whether a scope is taken by itself. */
    boolean serves(ScopeInput scope);

    /** The kinds that are taken by itself; empty if all are. */
    Set<String> served();

    /**
     * Takes one scope, of whatever kind, unless it runs under an owner that lives, is stuck or has ended. Its entries begin anew:
     * a caller wished it, it is no recovery.
     */
    Optional<Claim> claim(ScopeId scope, Instant at);

    /**
     * Takes scopes that are ready, or whose owner is dead. One that was entered {@code limit} times without a record becomes
     * stuck instead, and does not count.
     *
     * @param most at most this many
     * @param limit entries allowed
     */
    List<Claim> takeReady(int most, int limit, Instant at);

    /**
     * Counts one more entry of a claimed scope; its fence stays.
     *
     * @param fault what the last entry ended by, for the reason if the scope is stuck now; empty if it is not known
     * @return a claim with the new count, or empty if it was fenced or is stuck now
     */
    Optional<Claim> reenter(Claim claim, int limit, String fault, Instant at);

    /** The same without a fault. */
    default Optional<Claim> reenter(Claim claim, int limit, Instant at) {
        return reenter(claim, limit, "", at);
    }

    /**
     * Gives a claimed scope back as ready, for anybody to take. Its last entry is not counted, unless a record has started the
     * count anew since; entries before it are.
     */
    void giveBack(Claim claim, Instant at);

    /** The records of a scope, in no particular order. */
    List<EffectRow> effects(ScopeId scope);

    /**
     * Writes a record, with the fence of the claim. Refused as fenced, in conflict, by a doubt or busy, in this order.
     *
     * @throws dev.belay.BelayException {@code resource_limit} if the result is larger than {@link LargeResult#LARGEST}
     */
    default Written write(Claim claim, EffectWrite write) {
        return writing(claim, write).await();
    }

    /** Begins to write a record as {@link #write} does, in the order of this thread's writes. */
    Pending<Written> writing(Claim claim, EffectWrite write);

    /**
     * Takes a resource for a record without writing one. Taking what the same record of this journal holds already succeeds,
     * with a new fence. A holder is a record of one journal, and alive as long as that journal is.
     */
    Written take(Claim claim, String resource, String key, Instant at);

    /**
     * Releases a resource that a record took, after the record was written. Does nothing if another record or journal holds
     * it.
     */
    void release(String resource, ScopeId scope, String key);

    /**
     * Parks a scope unless something it waits for has happened: a wait in {@code known} is settled, or it was cancelled. Then
     * nothing is written.
     *
     * @param waits to open now, if they are not open yet; what was recorded when one was opened first holds for good
     * @param known names of all the waits that the scope waits for
     * @param cancelSeen whether the runner knows of a cancellation already
     * @param wakeAt when it goes on by itself, or null
     */
    Parking park(Claim claim, List<OpenWait> waits, Set<WaitName> known, boolean cancelSeen,
            @Nullable Instant wakeAt, Instant at);

    /**
     * Parks a scope that pauses hold, uncounted, until one of them ends or as {@link #park}.
     *
     * @param by the keys of these pauses; {@link Parking.Again} if one of them is not in force
     */
    Parking hold(Claim claim, Set<String> by, List<OpenWait> waits, Set<WaitName> known, boolean cancelSeen,
            @Nullable Instant wakeAt, Instant at);

    /**
     * Says for lists what a claimed scope waits for, or that it waits for nothing more; false if it was fenced. A scope that goes on
     * waiting for the same thing keeps the moment since when.
     */
    boolean awaits(Claim claim, @Nullable Awaiting why);

    /** The pauses in force, as far as they are known here. */
    Pauses pauses();

    /** Reads the pauses again if they have changed; whether they have. */
    boolean readPauses();

    /** Ends a scope; its open waits are settled as cancelled. False if it was fenced. */
    boolean end(Claim claim, Json result, Instant at);

    /** Marks a claimed scope as stuck; false if it was fenced. */
    boolean stick(Claim claim, String reason, Instant at);

    /**
     * Settles a wait; if a doubt about its call is open, that too, however the wait was settled before. A parked scope becomes ready in the same write if an {@code EVENT} was settled, or if no {@code COMPLETION} is left
     * open. A scope that is taken then begins with one entry.
     *
     * @param incarnation the scope's, as the key says
     * @param take whether to own the scope at once if it becomes ready
     */
    Settlement resolve(ScopeId scope, Incarnation incarnation, WaitName name, Resolution value, boolean take,
            Instant at);

    /**
     * Settles waits whose deadline has come, as timed out, and takes the parked scopes that go on because of that or because
     * their own time has come.
     *
     * @param most at most this many scopes are taken
     */
    List<Claim> takeDue(int most, Instant now);

    /** The earliest deadline of an open wait or parked scope. */
    Optional<Instant> nextDue();

    /**
     * Asks a scope to end; its open waits are settled as cancelled and it becomes ready in the same write if it was parked.
     *
     * @param take whether to own the scope at once if it becomes ready
     */
    Cancelling cancel(ScopeId scope, String reason, boolean take, Instant at);

    /** Keeps a late result; the first one for a key stays. If it is the answer of its body, it settles the doubt about its record. */
    void late(ScopeId scope, String key, Json result, Instant at);

    /** Late results of a scope. */
    List<LateResult> lateResults(ScopeId scope);

    /** What is known of a scope. */
    Optional<ScopeState> state(ScopeId scope);

    /** Waits of a scope. */
    List<WaitState> waits(ScopeId scope);

    /**
     * Keeps the schema of the values that may settle a wait, before its key is handed out. Does nothing if the wait is settled.
     *
     * @param schema as {@code JsonSchema.kept} writes it
     * @return false if the claim does not hold
     */
    boolean issue(Claim claim, WaitName wait, Json schema, Instant at);

    /** The schema that was kept for a wait which is not settled; empty if any value may settle it, or it is settled or unknown. */
    Optional<Json> schema(ScopeId scope, Incarnation incarnation, WaitName wait);

    /**
     * The kinds of scopes that are ready or whose owner is dead, served here or not, each with the start of its longest wait. Turns
     * of the sessions that this journal is limited to do not count.
     */
    Map<String, Instant> readyKinds();

    /** Scopes that are stuck. */
    List<ScopeState> stuck();

    /** Makes a stuck scope ready again, with its entries at zero; false if it is not stuck. */
    boolean retry(ScopeId scope, Instant at);

    /**
     * Ends a stuck scope; its open waits are settled as cancelled. False if it is not stuck.
     *
     * @param doubts about work of the scope that was started and has no answer
     */
    boolean abandon(ScopeId scope, Json result, List<OpenDoubt.Of> doubts, Instant at);

    /** Ends a stuck scope that leaves no doubt. */
    default boolean abandon(ScopeId scope, Json result, Instant at) {
        return abandon(scope, result, List.of(), at);
    }

    /**
     * Keeps bytes by content for a keeper. The same bytes of the same type again change nothing, and are no write. A keeper is a
     * scope, which keeps until its records are deleted, or all scopes whose names begin alike, such as the turns of a session,
     * which keep until they are deleted.
     *
     * @param keeper the name of the claim's scope, or what it begins with up to a slash
     * @return false if it was fenced, and they are not kept
     */
    boolean keep(Claim claim, String keeper, KeptBytes bytes, Instant at);

    /**
     * Bytes that a keeper keeps, in a new array; empty if nothing of that hash, media type and size is kept under that name.
     */
    Optional<byte[]> kept(String keeper, Attachments.Reference reference);

    /**
     * The next content that a keeper keeps, for one who reads all of them in the order of their names.
     *
     * @param after the name of the one before, which is its hash, a space and its media type; empty for the first
     */
    Optional<KeptBytes> nextKept(String keeper, String after);

    /**
     * Changes whenever another journal may have written. Cheap; the same as before if none did.
     */
    long version();

    /** What is known of the other owners of the records. */
    Others others();

    /** Whether an owner lives. One that is dead stays dead. */
    boolean isAlive(String owner);

    /** The secret that signs the keys of new scopes. */
    Secret currentSecret();

    /** A secret, unless it was revoked. */
    Optional<Secret> secret(long id);

    /**
     * Makes a new secret for scopes that are submitted from now on.
     *
     * @throws dev.belay.BelayException {@code secret_outside} if its secrets come from outside
     */
    Secret rotateSecret();

    /**
     * Makes every key that a secret signed unknown for good. If it is the current one, a new one is made in the same write. Scopes of
     * that secret sign their keys with the next one that was not revoked.
     */
    void revokeSecret(long id);

    /**
     * Deletes large results and attachments that no record refers to, that no keeper keeps, and that were last written before a
     * moment; how many. Holds up no other write for long, and is no write if there is nothing to delete.
     */
    int collectOutputs(Instant before);

    /**
     * Deletes the records of scopes that ended before a moment, and lets go of what these scopes themselves keep; how many of
     * both. The scopes, their waits and late results stay, and so does what scopes keep together. Holds up no other write for
     * long, and is no write if there are none to delete.
     */
    int collectEffects(Instant endedBefore);

    /**
     * Finds rows of the whole store, sessions included, that contradict each other or were damaged. Reads everything, also while others
     * write.
     *
     * @param most it ends when it has found so many
     */
    List<Inconsistency> inconsistencies(int most);

    /**
     * Ends this journal because its host has failed: the scopes that it owns can be taken by others, and each call that waits or comes
     * later throws this exception. Returns at once, and does nothing if the journal has ended.
     */
    void fail(JournalException why);

    /** Lets go of everything; scopes that this journal owns can be taken by others. Closing again does nothing. */
    @Override
    void close();
}
