package dev.belay.store.jdbc.sqlite;

import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.Journal.Parking;
import dev.belay.runtime.store.journal.Journal.Refusal;
import dev.belay.runtime.store.journal.Journal.Written;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.ServedKinds;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.sqlite.SqliteOutputs.Stored;
import dev.belay.store.jdbc.sqlite.SqliteResources.Holder;
import dev.belay.store.jdbc.sqlite.SqliteScopes.Head;
import dev.belay.store.jdbc.sqlite.SqliteScopes.Raw;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Incarnation;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What each write of a journal does, inside a transaction that nobody else is in. A write that is refused has changed nothing.
 * Run by the writing thread; may be run again if a shared commit fails.
 *
 * @param owner whose writes these are
 * @param alive whether another owner lives
 * @param served kinds of scopes that are taken here when they wake
 */
public record ScopeWrites(String owner, Predicate<String> alive, ServedKinds served) {

    private static final String TIMED_OUT = OutcomeJson.of(new Resolution.TimedOut()).text();
    private static final String ENDED = cancelled("the scope has ended");
    private static final String ABANDONED = cancelled("the scope was abandoned");

    public static String cancelled(String reason) {
        return OutcomeJson.of(new Resolution.Cancelled(reason)).text();
    }

    /**
     * How a submission found its scope.
     *
     * @param created whether it is new
     * @param same whether the input is the recorded one
     * @param scope the scope, if it was taken or has another input
     */
    public record Submitted(boolean created, boolean same, @Nullable Raw scope) {}

    /**
     * How a resolution found its wait.
     *
     * @param known whether there is such a wait
     * @param winner what settled it before, or null
     * @param woken the scope, if it was taken
     */
    public record Settled(boolean known, @Nullable String winner, @Nullable Raw woken) {

        static final Settled UNKNOWN = new Settled(false, null, null);
    }

    /**
     * How a cancellation found its scope.
     *
     * @param before the scope if it was cancelled before or has ended
     * @param known whether there is such a scope
     * @param woken the scope, if it was taken
     */
    public record Cancelled(@Nullable Raw before, boolean known, @Nullable Raw woken) {}

    public Submitted submit(Database db, String scope, ScopeInput input, String value, String hash,
            boolean take,
            Incarnation incarnation, String at) throws SQLException {
        if (SqliteScopes.add(db, scope, input, value, hash, take ? owner : null, incarnation, at)) {
            return new Submitted(true, true, take ? SqliteScopes.state(db, scope) : null);
        }
        boolean same = SqliteScopes.hasInput(db, scope, hash);
        return new Submitted(false, same, same ? null : SqliteScopes.state(db, scope));
    }

    /** Takes a scope that is ready or belongs to the dead; null if it is neither any more, or is stuck now. */
    @Nullable
    Raw take(Database db, long scope, Set<String> dead, int limit, String at) throws SQLException {
        Head head = SqliteScopes.head(db, scope);
        if (head == null || !isFree(head, dead) || !mayEnter(db, head, limit, "", at)) {
            return null;
        }
        return taken(db, head, head.entries() + 1, at);
    }

    /** Takes one scope by its name, unless it runs, is stuck or has ended. */
    public @Nullable Raw claim(Database db, String scope, String at) throws SQLException {
        Head head = SqliteScopes.head(db, scope);
        boolean free = head != null && switch (head.status()) {
            case READY, PARKED -> true;
            case RUNNING -> !owner.equals(head.owner()) && !alive.test(String.valueOf(head.owner()));
            case STUCK, ENDED -> false;
        };
        return head != null && free ? taken(db, head, 1, at) : null;
    }

    private static boolean isFree(Head head, Set<String> dead) {
        return head.status() == Status.READY || (head.owner() != null && dead.contains(head.owner()));
    }

    public @Nullable Raw reenter(Database db, Claim claim, int limit, String fault, String at)
            throws SQLException {
        Head head = SqliteScopes.held(db, owner, claim);
        if (head == null || !mayEnter(db, head, limit, fault, at)) {
            return null;
        }
        SqliteScopes.entries(db, head, head.entries() + 1);
        return SqliteScopes.state(db, head.n());
    }

    private static boolean mayEnter(Database db, Head head, int limit, String fault, String at)
            throws SQLException {
        if (head.entries() < limit) {
            return true;
        }
        SqliteScopes.stick(db, head.n(), head.entries(), ScopeState.enteredTooOften(head.entries(), fault),
                at);
        return false;
    }

    public boolean giveBack(Database db, Claim claim, String at) throws SQLException {
        Head head = SqliteScopes.held(db, owner, claim);
        if (head != null) {
            SqliteScopes.ready(db, head.n(), Math.max(0, head.entries() - 1), at);
        }
        return head != null;
    }

    /** Writes a record in one statement; null if it takes more, or if nothing was changed, whatever the reason. */
    public @Nullable Written writeAtOnce(Database db, Claim claim, SqliteEffects.Rendered rendered)
            throws SQLException {
        return rendered.isPlain() && SqliteEffects.writeHeld(db, owner, claim, rendered)
                ? new Written(null, 0)
                : null;
    }

    public Written write(Database db, Claim claim, SqliteEffects.Rendered rendered) throws SQLException {
        Head head = SqliteScopes.held(db, owner, claim);
        if (head == null) {
            return new Written(Refusal.FENCED, 0);
        }
        var holder = new Holder(owner, head.n(), rendered.write().row().key());
        Written written = SqliteEffects.write(db, holder, claim.fence(), rendered, alive);
        if (written.refusal() == null) {
            SqliteScopes.entries(db, head, 0);
        }
        return written;
    }

    /** Keeps bytes, which are brought back if a collector took them since they were written; false if it was fenced. */
    public boolean keep(Database db, Claim claim, String keeper, Attachments.Reference reference,
            Stored bytes,
            String at) throws SQLException {
        boolean held = SqliteScopes.held(db, owner, claim) != null;
        if (held) {
            bytes.ensure(db, at);
            SqliteAttachments.keep(db, keeper, reference, at);
        }
        return held;
    }

    public Written hold(Database db, Claim claim, String resource, String key) throws SQLException {
        Head head = SqliteScopes.held(db, owner, claim);
        if (head == null) {
            return new Written(Refusal.FENCED, 0);
        }
        var holder = new Holder(owner, head.n(), key);
        return SqliteResources.isBusy(db, resource, holder, alive)
                ? new Written(Refusal.BUSY, 0)
                : new Written(null, SqliteResources.hold(db, resource, holder));
    }

    public Parking park(Database db, Claim claim, List<OpenWait> waits, String names, boolean cancelSeen,
            @Nullable String wakeAt, String at) throws SQLException {
        Head head = SqliteScopes.held(db, owner, claim);
        if (head == null) {
            return new Parking.Fenced();
        }
        if ((head.cancelReason() != null && !cancelSeen) || SqliteWaits.anySettled(db, head.n(), names)) {
            return new Parking.Again();
        }
        SqliteWaits.open(db, head.n(), waits);
        SqliteScopes.park(db, head.n(), wakeAt, at);
        return new Parking.Parked();
    }

    public boolean end(Database db, Claim claim, Stored result, String at) throws SQLException {
        Head head = SqliteScopes.held(db, owner, claim);
        if (head == null) {
            return false;
        }
        SqliteWaits.settleAll(db, head.n(), ENDED, at);
        SqliteScopes.end(db, head.n(), result, at);
        return true;
    }

    public boolean stick(Database db, Claim claim, String reason, String at) throws SQLException {
        Head head = SqliteScopes.held(db, owner, claim);
        if (head != null) {
            SqliteScopes.stick(db, head.n(), 0, reason, at);
        }
        return head != null;
    }

    public Settled resolve(Database db, String scope, Incarnation incarnation, String name, String resolution,
            boolean take, String at) throws SQLException {
        Head head = SqliteScopes.head(db, scope);
        if (head == null || !head.incarnation().equals(incarnation)) {
            return Settled.UNKNOWN;
        }
        SqliteWaits.Found wait = SqliteWaits.find(db, head.n(), name);
        if (wait != null && wait.resolution() != null) {
            return new Settled(true, wait.resolution(), null);
        }
        if (head.status() == Status.ENDED) {
            return Settled.UNKNOWN;
        }
        settle(db, head, wait, name, resolution, at);
        boolean event = wait != null && wait.kind() == OpenWait.Kind.EVENT;
        boolean wakes = head.status() == Status.PARKED
                && (event || !SqliteWaits.hasOpenCompletion(db, head.n()));
        return new Settled(true, null, wakes ? wake(db, head, take, 1, at) : reset(db, head));
    }

    /** Settles a wait that is not settled; the scope, if it was parked at this wait and is taken. */
    @Nullable
    Raw settle(Database db, Head head, String name, String resolution, boolean take, String at)
            throws SQLException {
        SqliteWaits.Found wait = SqliteWaits.find(db, head.n(), name);
        settle(db, head, wait, name, resolution, at);
        return wait != null && head.status() == Status.PARKED
                ? wake(db, head, take, 1, at)
                : reset(db, head);
    }

    private static void settle(Database db, Head head, SqliteWaits.@Nullable Found wait, String name,
            String resolution, String at) throws SQLException {
        if (wait == null) {
            SqliteWaits.settleEarly(db, head.n(), name, resolution, at);
        } else {
            SqliteWaits.settle(db, head.n(), name, resolution, at);
        }
    }

    /** Settles what has come due in a scope; the scope, if it goes on because of that. */
    @Nullable
    Raw due(Database db, long scope, String now) throws SQLException {
        Head head = SqliteScopes.head(db, scope);
        if (head == null) {
            return null;
        }
        boolean event = SqliteWaits.hasDueEvent(db, scope, now);
        boolean settled = SqliteWaits.settleDue(db, scope, TIMED_OUT, now) > 0;
        if (head.status() == Status.PARKED) {
            if (settled && (event || !SqliteWaits.hasOpenCompletion(db, scope))) {
                return wake(db, head, true, 1, now);
            }
            if (head.wakeAt() != null && head.wakeAt().compareTo(now) <= 0) {
                return wake(db, head, true, settled ? 1 : head.entries() + 1, now);
            }
        }
        return settled ? reset(db, head) : null;
    }

    public Cancelled cancel(Database db, String scope, String reason, String resolution, boolean take,
            String at)
            throws SQLException {
        Head head = SqliteScopes.head(db, scope);
        if (head == null) {
            return new Cancelled(null, false, null);
        }
        if (head.status() == Status.ENDED || head.cancelReason() != null) {
            return new Cancelled(SqliteScopes.state(db, head.n()), true, null);
        }
        SqliteScopes.cancel(db, head.n(), reason);
        SqliteWaits.settleAll(db, head.n(), resolution, at);
        return new Cancelled(null, true,
                head.status() == Status.PARKED ? wake(db, head, take, 1, at) : reset(db, head));
    }

    public boolean retry(Database db, String scope, String at) throws SQLException {
        Head head = SqliteScopes.head(db, scope);
        if (head == null || head.status() != Status.STUCK) {
            return false;
        }
        SqliteScopes.ready(db, head.n(), 0, at);
        return true;
    }

    public boolean abandon(Database db, String scope, Stored result, String at) throws SQLException {
        Head head = SqliteScopes.head(db, scope);
        if (head == null || head.status() != Status.STUCK) {
            return false;
        }
        SqliteWaits.settleAll(db, head.n(), ABANDONED, at);
        SqliteScopes.end(db, head.n(), result, at);
        return true;
    }

    /** A parked scope goes on: here, or wherever its kind is served. */
    private @Nullable Raw wake(Database db, Head head, boolean take, int entries, String at)
            throws SQLException {
        if (take && (served.get() == null || served.contains(SqliteScopes.kind(db, head.n())))) {
            return taken(db, head, entries, at);
        }
        SqliteScopes.ready(db, head.n(), entries - 1, at);
        return null;
    }

    private static @Nullable Raw reset(Database db, Head head) throws SQLException {
        SqliteScopes.entries(db, head, 0);
        return null;
    }

    private @Nullable Raw taken(Database db, Head head, int entries, String at) throws SQLException {
        SqliteScopes.take(db, head.n(), owner, entries, at);
        Raw taken = SqliteScopes.state(db, head.n());
        return taken != null && head.status() == Status.RUNNING ? taken.ofTheDead() : taken;
    }
}
