package dev.belay.runtime.store.rows;

import dev.belay.json.Json;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.journal.Awaiting;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The rows of scopes: a head for each, what it started from, its records, waits and late results, and the resources they hold. */
public final class ScopeRows {

    /** Heads of scopes. */
    public static final Table<Scope> SCOPES = Table.single("scope",
            "id text, kind text, status text, owner text, fence number, entries number, incarnation text,"
                    + " secret number, since moment, wake_at moment, cancel_reason text, stuck_because text,"
                    + " effects number, waits number, completions number, collected number",
            Scope::id,
            s -> new Object[]{s.id, s.kind, s.status, s.owner, s.fence, s.entries, s.incarnation, s.secret,
                s.since, s.wakeAt, s.cancelReason, s.stuckBecause, s.effects, s.waits, s.completions,
                s.collected},
            v -> new Scope(v.text(), v.text(), v.word(Status.class), v.textOrNull(), v.number(), v.count(),
                    v.incarnation(), v.number(), v.moment(), v.momentOrNull(), v.textOrNull(),
                    v.textOrNull(), v.count(), v.count(), v.count(), v.flag()));

    /** What scopes started from. */
    public static final Table<Input> INPUTS = Table.single("scope_input", "scope text, value json",
            Input::scope, i -> new Object[]{i.scope, i.value}, v -> new Input(v.text(), v.json()));

    /** What scopes ended with. */
    public static final Table<Result> RESULTS = Table.single("scope_result",
            "scope text, value json, output text",
            Result::scope, r -> new Object[]{r.scope, r.value, r.output},
            v -> new Result(v.text(), v.jsonOrNull(), v.textOrNull()));

    /** Records of effects. */
    public static final Table<Effect> EFFECTS = Table.of("effect",
            "scope text, key text, ordinal number, kind text, hash text, identity json, status text,"
                    + " input json, result json, output text, fingerprint text, effect text, resource text,"
                    + " fence number, first_at moment, last_at moment",
            Effect::scope, e -> e.row.key(), Effect::values, Effect::read);

    /** Waits. */
    public static final Table<Wait> WAITS = Table.of("wait",
            "scope text, name text, kind text, opened number, deadline moment, announcement text,"
                    + " resolution json, settled_at moment",
            Wait::scope, Wait::name,
            w -> new Object[]{w.scope, w.name, w.kind, w.opened, w.deadline, w.announcement, w.resolution,
                w.settledAt},
            v -> new Wait(v.text(), v.text(), v.word(OpenWait.Kind.class), v.flag(), v.momentOrNull(),
                    v.textOrNull(), v.jsonOrNull(), v.momentOrNull()));

    /** Keys of waits that are not settled. */
    public static final Table<WaitKey> KEYS = Table.of("wait_key",
            "scope text, name text, id text, place text, schema json", WaitKey::scope, WaitKey::name,
            k -> new Object[]{k.scope, k.name, k.id, k.place, k.schema},
            v -> new WaitKey(v.text(), v.text(), v.text(), v.textOrNull(), v.jsonOrNull()));

    /** Results that came after their calls were settled. */
    public static final Table<Late> LATE = Table.of("late",
            "scope text, key text, result json, output text, at moment", Late::scope, Late::key,
            l -> new Object[]{l.scope, l.key, l.result, l.output, l.at},
            v -> new Late(v.text(), v.text(), v.jsonOrNull(), v.textOrNull(), v.moment()));

    /** Who holds a resource. A row stays when the resource is released, because its fence must grow. */
    public static final Table<Resource> RESOURCES = Table.single("resource",
            "name text, owner text, scope text, key text, fence number", Resource::name,
            r -> new Object[]{r.name, r.owner, r.scope, r.key, r.fence},
            v -> new Resource(v.text(), v.textOrNull(), v.textOrNull(), v.textOrNull(), v.number()));

    /** What scopes wait for without a wait. A row counts only for the claim that wrote it, so that none has to be deleted in time. */
    public static final Table<Awaited> AWAITED = Table.single("awaited",
            "scope text, fence number, what text, name text, since moment", Awaited::scope,
            a -> new Object[]{a.scope, a.fence, a.why.what(), a.why.name(), a.why.since()},
            v -> new Awaited(v.text(), v.number(),
                    new Awaiting(v.word(Awaiting.Thing.class), v.text(), v.moment())));

    private ScopeRows() {}

    /**
     * The head of a scope. Each transition gives the row that follows.
     *
     * @param id its name
     * @param kind of its input
     * @param status how it stands
     * @param owner which store runs it; null unless it is running
     * @param fence how often it was taken
     * @param entries how often it was entered since its last record
     * @param incarnation its random bits
     * @param secret which secret signs its keys
     * @param since when its status changed
     * @param wakeAt when it goes on by itself; null unless it is parked
     * @param cancelReason why it should end, or null
     * @param stuckBecause why it is stuck, or null
     * @param effects how many records it has
     * @param waits how many waits it has
     * @param completions how many waits of the kind {@code COMPLETION} are open
     * @param collected whether its records were deleted, or an open doubt keeps them
     */
    public record Scope(String id, String kind, Status status, @Nullable String owner, long fence,
            int entries, Incarnation incarnation, long secret, Instant since, @Nullable Instant wakeAt,
            @Nullable String cancelReason, @Nullable String stuckBecause, int effects, int waits,
            int completions, boolean collected) {

        /** A scope that was just submitted. */
        public static Scope submitted(String id, String kind, Incarnation incarnation, long secret,
                Instant at) {
            return new Scope(id, kind, Status.READY, null, 0, 0, incarnation, secret, at, null, null, null, 0,
                    0, 0, false);
        }

        private Scope at(Status next, @Nullable String by, long nextFence, int count, Instant at,
                @Nullable Instant until, @Nullable String because) {
            return new Scope(id, kind, next, by, nextFence, count, incarnation, secret, at, until,
                    cancelReason, because, effects, waits, completions, collected);
        }

        /** Whether a claim of an owner with a fence is the right to run it. */
        public boolean isHeldBy(String claimant, long claimed) {
            return status == Status.RUNNING && claimant.equals(owner) && fence == claimed;
        }

        /** The scope in the hands of an owner, entered once more. */
        public Scope taken(String by, Instant at) {
            return at(Status.RUNNING, by, fence + 1, entries + 1, at, null, null);
        }

        /** The scope ready for any owner. */
        public Scope ready(Instant at) {
            return at(Status.READY, null, fence, entries, at, null, null);
        }

        /** The scope waiting. */
        public Scope parked(@Nullable Instant until, Instant at) {
            return at(Status.PARKED, null, fence, entries, at, until, null);
        }

        /** The scope stuck. */
        public Scope stuck(String because, Instant at) {
            return at(Status.STUCK, null, fence, entries, at, null, because);
        }

        /** The scope at its end. */
        public Scope ended(Instant at) {
            return at(Status.ENDED, null, fence, 0, at, null, null);
        }

        /** The scope with another count of entries. */
        public Scope entries(int count) {
            return count == entries ? this : at(status, owner, fence, count, since, wakeAt, stuckBecause);
        }

        /** The scope with another fence. */
        public Scope fenced(long other) {
            return at(status, owner, other, entries, since, wakeAt, stuckBecause);
        }

        /** The scope with another kind. */
        public Scope ofKind(String other) {
            return new Scope(id, other, status, owner, fence, entries, incarnation, secret, since, wakeAt,
                    cancelReason, stuckBecause, effects, waits, completions, collected);
        }

        /** The scope with a request to end. */
        public Scope cancelled(String reason) {
            return new Scope(id, kind, status, owner, fence, entries, incarnation, secret, since, wakeAt,
                    reason, stuckBecause, effects, waits, completions, collected);
        }

        /** The scope with other numbers of records, waits and open completions. */
        public Scope counted(int allEffects, int allWaits, int openCompletions) {
            return new Scope(id, kind, status, owner, fence, entries, incarnation, secret, since, wakeAt,
                    cancelReason, stuckBecause, allEffects, allWaits, openCompletions, collected);
        }

        /** The ended scope with records that a collection passes by, or not. */
        public Scope kept(boolean passedBy) {
            return without(0, passedBy);
        }

        /** The scope without some of its records. */
        public Scope without(int some, boolean all) {
            return new Scope(id, kind, status, owner, fence, entries, incarnation, secret, since, wakeAt,
                    cancelReason, stuckBecause, effects - some, waits, completions, all);
        }
    }

    /**
     * What a scope started from.
     *
     * @param scope which
     * @param value the input
     */
    public record Input(String scope, Json value) {}

    /**
     * What a scope ended with.
     *
     * @param scope which
     * @param value the result, or null if it is kept by content
     * @param output the hash of that content, or null
     */
    public record Result(String scope, @Nullable Json value, @Nullable String output) {}

    /**
     * A record.
     *
     * @param scope whose
     * @param row what it says; its result is null if it is kept by content
     * @param output the hash of that content, or null
     * @param firstAt when it was written first
     * @param lastAt when it was written last
     */
    public record Effect(String scope, EffectRow row, @Nullable String output, Instant firstAt,
            Instant lastAt) {

        private @Nullable Object[] values() {
            return new @Nullable Object[]{scope, row.key(), row.ordinal(), row.kind(), row.hash(),
                row.identity(), row.status(), row.input(), row.result(), output, row.fingerprint(),
                row.effect(), row.resource(), row.fence(), firstAt, lastAt};
        }

        private static Effect read(Values v) {
            String scope = v.text();
            String key = v.text();
            int ordinal = v.count();
            String kind = v.text();
            String hash = v.text();
            Json identity = v.json();
            EffectRow.Status status = v.word(EffectRow.Status.class);
            Json input = v.jsonOrNull();
            Json result = v.jsonOrNull();
            String output = v.textOrNull();
            return new Effect(scope,
                    new EffectRow(key, ordinal, kind, hash, identity, status, input, result,
                            v.textOrNull(), v.wordOrNull(ToolEffect.class), v.textOrNull(), v.number()),
                    output, v.moment(), v.moment());
        }
    }

    /**
     * A wait.
     *
     * @param scope whose
     * @param name which
     * @param kind what its settlement means
     * @param opened whether the scope came to wait for it
     * @param deadline when it times out, or null
     * @param announcement or null
     * @param resolution as {@code OutcomeJson} writes it; null while it is open
     * @param settledAt when, or null
     */
    public record Wait(String scope, String name, OpenWait.Kind kind, boolean opened,
            @Nullable Instant deadline, @Nullable String announcement, @Nullable Json resolution,
            @Nullable Instant settledAt) {

        /** Whether it has a resolution. */
        public boolean isSettled() {
            return resolution != null;
        }

        /** The wait with a resolution. */
        public Wait settled(Json by, Instant at) {
            return new Wait(scope, name, kind, opened, deadline, announcement, by, at);
        }
    }

    /**
     * The key of a wait: it was handed out, a scope waits, or a person has decided.
     *
     * @param scope whose
     * @param name which wait
     * @param id the public name of the key
     * @param place among all waits that are open, by the time since when; null if the scope has not come to wait, or does not
     *        wait any more
     * @param schema which values must satisfy, as {@code JsonSchema.kept} writes it; null for any value
     */
    public record WaitKey(String scope, String name, String id, @Nullable String place,
            @Nullable Json schema) {

        /** All digits, so that places stand in the order of time. */
        private static final DateTimeFormatter SINCE = DateTimeFormatter
                .ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'", Locale.ROOT)
                .withZone(ZoneOffset.UTC);

        /** The key of a wait that is open since a moment. */
        public WaitKey open(Instant since) {
            return new WaitKey(scope, name, id, SINCE.format(since) + " " + id, schema);
        }

        /** Since when a wait is open, from its place. */
        public static Instant since(String place) {
            return Instant.parse(place.substring(0, place.indexOf(' ')));
        }
    }

    /**
     * What a scope waits for.
     *
     * @param scope which
     * @param fence of the claim that says so
     * @param why it waits
     */
    public record Awaited(String scope, long fence, Awaiting why) {}

    /**
     * A late result.
     *
     * @param scope whose
     * @param key of the record
     * @param result or null if it is kept by content
     * @param output the hash of that content, or null
     * @param at when it came
     */
    public record Late(String scope, String key, @Nullable Json result, @Nullable String output,
            Instant at) {}

    /**
     * A resource.
     *
     * @param name which
     * @param owner the store whose record holds it, or null if it is free
     * @param scope of that record
     * @param key of that record
     * @param fence how often it was taken
     */
    public record Resource(String name, @Nullable String owner, @Nullable String scope, @Nullable String key,
            long fence) {

        /** Whether a record of an owner holds it. */
        public boolean isHeldBy(String claimant, String ofScope, String ofKey) {
            return claimant.equals(owner) && ofScope.equals(scope) && ofKey.equals(key);
        }
    }
}
