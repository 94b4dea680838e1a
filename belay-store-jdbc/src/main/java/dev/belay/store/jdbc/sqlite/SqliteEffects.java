package dev.belay.store.jdbc.sqlite;

import dev.belay.json.Json;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.Journal.EffectRow;
import dev.belay.runtime.store.journal.Journal.EffectWrite;
import dev.belay.runtime.store.journal.Journal.Refusal;
import dev.belay.runtime.store.journal.Journal.Written;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.file.Moments;
import dev.belay.store.jdbc.sqlite.SqliteOutputs.Stored;
import dev.belay.store.jdbc.sqlite.SqliteResources.Holder;
import dev.belay.tool.ToolEffect;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Records of effects. */
public final class SqliteEffects {

    public static final String LIST = "select e.key, e.ordinal, e.kind, e.hash, e.identity, e.status, e.input,"
            + " e.result, b.bytes, e.fingerprint, e.effect, e.resource, e.fence"
            + " from effect e left join output_bytes b on b.hash = e.output"
            + " where e.scope = (select n from scope where id = ?)";
    private static final String STATUS = "select status from effect where scope = ? and key = ?";
    private static final String INSERT = "insert into effect (scope, key, ordinal, kind, hash, identity, status, input,"
            + " result, output, fingerprint, effect, resource, fence, first_at, last_at)";
    private static final String VALUES = "?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?15";
    private static final String UPDATE = " on conflict (scope, key) do update set ordinal = ?3, kind = ?4, hash = ?5,"
            + " identity = ?6, status = ?7, input = ?8, result = ?9, output = ?10, fingerprint = ?11,"
            + " effect = ?12, resource = ?13, fence = ?14, last_at = ?15"
            + " where effect.status = 'STARTED'";
    private static final String WRITE = INSERT + " values (?1, " + VALUES + ")" + UPDATE;
    /** The same if the scope is held and has nothing to be reset, which is so from its second record on. */
    public static final String WRITE_HELD = INSERT + " select n, " + VALUES
            + " from scope where id = ?1 and owner = ?16"
            + " and scope.fence = ?14 and scope.status = 'RUNNING' and entries = 0" + UPDATE;
    public static final String COLLECT = "delete from effect where scope = ?1"
            + " and key in (select key from effect where scope = ?1 limit ?2)";

    private SqliteEffects() {}

    /**
     * A record, ready to be written: all that is rendered was rendered before the writing thread gets it.
     *
     * @param write what is to be written
     * @param identity as text
     * @param input as text, or null
     * @param result as text or by content
     */
    public record Rendered(EffectWrite write, String identity, @Nullable String input, Stored result) {

        public static Rendered of(EffectWrite write, Stored result) {
            Json input = write.row().input();
            return new Rendered(write, write.row().identity().text(), input == null ? null : input.text(),
                    result);
        }

        /** Whether it is one row and nothing else. */
        boolean isPlain() {
            return write.takes() == null && write.releases() == null && write.opens().isEmpty()
                    && result.hash() == null;
        }

        public long size() {
            return identity.length() + (input == null ? 0 : input.length()) + result.size();
        }
    }

    /**
     * A record as it was read; its JSON is parsed by whoever asked, not by the thread that reads.
     *
     * @param key which
     * @param ordinal its place
     * @param kind what sort of work
     * @param hash of the identity
     * @param identity as text
     * @param status how it stands
     * @param input as text, or null
     * @param result as text, or null
     * @param fingerprint or null
     * @param effect or null
     * @param resource or null
     * @param fence of the claim that wrote it
     */
    public record Raw(String key, int ordinal, String kind, String hash, String identity, String status,
            @Nullable String input, @Nullable String result, @Nullable String fingerprint,
            @Nullable String effect, @Nullable String resource, long fence) {

        private static Raw read(ResultSet row) throws SQLException {
            return new Raw(row.getString(1), row.getInt(2), row.getString(3), row.getString(4),
                    row.getString(5), row.getString(6), row.getString(7), SqliteOutputs.text(row, 8, 9),
                    row.getString(10), row.getString(11), row.getString(12), row.getLong(13));
        }

        public EffectRow row() {
            return new EffectRow(key, ordinal, kind, hash, RecordedText.json(identity),
                    EffectRow.Status.valueOf(status), RecordedText.nullableJson(input),
                    RecordedText.nullableJson(result), fingerprint,
                    effect == null ? null : ToolEffect.valueOf(effect), resource, fence);
        }
    }

    public static List<Raw> list(Database db, String scope) throws SQLException {
        return db.list(LIST, Raw::read, scope);
    }

    /** Writes a record of a scope that was found to be held; changes nothing if it is refused. */
    static Written write(Database db, Holder holder, long fence, Rendered rendered, Predicate<String> alive)
            throws SQLException {
        EffectWrite write = rendered.write();
        String takes = write.takes();
        if (takes != null) {
            // looked at before anything is changed, and in this order
            if (!makesWay(db, holder)) {
                return new Written(Refusal.CONFLICT, 0);
            }
            if (SqliteResources.isBusy(db, takes, holder, alive)) {
                return new Written(Refusal.BUSY, 0);
            }
        }
        String at = Moments.text(write.at());
        rendered.result().ensure(db, at);
        if (!upsert(db, holder, fence, rendered, at)) {
            return new Written(Refusal.CONFLICT, 0);
        }
        long resourceFence = takes == null ? 0 : SqliteResources.hold(db, takes, holder);
        if (write.releases() != null) {
            SqliteResources.release(db, write.releases(), holder);
        }
        SqliteWaits.open(db, holder.scope(), write.opens());
        return new Written(null, resourceFence);
    }

    private static boolean makesWay(Database db, Holder holder) throws SQLException {
        String status = db.first(STATUS, row -> row.getString(1), holder.scope(), holder.key());
        return status == null || status.equals("STARTED");
    }

    private static boolean upsert(Database db, Holder holder, long fence, Rendered rendered, String at)
            throws SQLException {
        return db.update(WRITE, values(holder.scope(), fence, rendered, at)) == 1;
    }

    /** Writes a plain record if its scope is held by the owner; false if nothing was changed. */
    static boolean writeHeld(Database db, String owner, Claim claim, Rendered rendered) throws SQLException {
        @Nullable
        Object[] values = values(claim.scope().value(), claim.fence(), rendered,
                Moments.text(rendered.write().at()));
        @Nullable
        Object[] guarded = Arrays.copyOf(values, values.length + 1);
        guarded[values.length] = owner;
        return db.update(WRITE_HELD, guarded) == 1;
    }

    private static @Nullable Object[] values(Object scope, long fence, Rendered rendered, String at) {
        EffectRow row = rendered.write().row();
        ToolEffect effect = row.effect();
        Stored result = rendered.result();
        return new @Nullable Object[]{scope, row.key(), row.ordinal(), row.kind(), row.hash(),
            rendered.identity(), row.status().name(), rendered.input(), result.text(), result.hash(),
            row.fingerprint(), effect == null ? null : effect.name(), row.resource(), fence, at};
    }

    /** Deletes records of a scope; how many. */
    static int collect(Database db, long scope, int most) throws SQLException {
        return db.update(COLLECT, scope, most);
    }
}
