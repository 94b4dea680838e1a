package dev.belay.store.jdbc.sqlite;

import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.file.SqliteOwners;
import dev.belay.store.jdbc.file.Write;
import dev.belay.store.jdbc.sqlite.SqliteScopes.Raw;
import dev.belay.store.jdbc.sqlite.SqliteScopes.Ref;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for work with a reader, and takes it with one write for each scope. Between looking and taking somebody else may have
 * been faster, so each write looks again. Nothing to do costs no write.
 */
public final class Takers {

    /** As many as share a commit; more are found by looking again. */
    private static final int CHUNK = 256;
    private static final Logger LOG = LoggerFactory.getLogger(Takers.class);

    private final OpenFile store;

    public Takers(OpenFile store) {
        this.store = store;
    }

    private interface Find {
        List<Ref> refs(Database db, int most) throws SQLException;
    }

    private interface Take {
        Write<@Nullable Raw> of(Ref ref);
    }

    public List<Claim> ready(int most, int limit, String at) {
        Set<String> dead = dead();
        String kinds = kinds();
        List<Claim> claims = take(most, at, (db, count) -> takeable(db, dead, kinds, count),
                ref -> Write.of("take " + new ScopeId(ref.id()),
                        db -> store.writes().take(db, ref.n(), dead, limit, at)));
        dead.forEach(this::forget);
        return claims;
    }

    /** Housekeeping: if it fails, the next look does it, and what was taken is not lost. */
    private void forget(String owner) {
        try {
            store.write(null, 0, db -> SqliteOwners.forget(db, owner));
        } catch (JournalException e) {
            LOG.debug("the dead owner {} could not be forgotten", owner, e);
        }
    }

    public List<Claim> due(int most, String now) {
        return take(most, now, (db, count) -> dueScopes(db, now, count),
                ref -> Write.of("due " + new ScopeId(ref.id()),
                        db -> store.writes().due(db, ref.n(), now)));
    }

    /** Owners whose lock nobody holds. They stay dead: a name is never used twice. */
    private Set<String> dead() {
        return store.read(db -> {
            Set<String> dead = new HashSet<>();
            for (String other : SqliteOwners.others(db, store.owner())) {
                if (store.dead(other)) {
                    dead.add(other);
                }
            }
            return dead;
        });
    }

    /** The kinds that are served, as an array in JSON; null if all are. */
    private @Nullable String kinds() {
        Set<String> served = store.writes().served().get();
        return served == null ? null : Json.array(served.stream().map(Json::string).toList()).text();
    }

    private static List<Ref> takeable(Database db, Set<String> dead, @Nullable String kinds, int most)
            throws SQLException {
        List<Ref> found = new ArrayList<>();
        for (String owner : dead) {
            found.addAll(SqliteScopes.someOwned(db, owner, kinds, most - found.size()));
        }
        if (found.size() < most) {
            found.addAll(SqliteScopes.someReady(db, kinds, most - found.size()));
        }
        return found;
    }

    private static List<Ref> dueScopes(Database db, String now, int most) throws SQLException {
        Map<Long, Ref> found = new LinkedHashMap<>();
        for (Long n : SqliteWaits.dueScopes(db, now, most)) {
            Ref ref = SqliteScopes.ref(db, n);
            if (ref != null) {
                found.put(n, ref);
            }
        }
        for (Ref ref : SqliteScopes.someDue(db, now, most)) {
            if (found.size() < most) {
                found.putIfAbsent(ref.n(), ref);
            }
        }
        return List.copyOf(found.values());
    }

    private List<Claim> take(int most, String at, Find find, Take take) {
        List<Claim> claims = new ArrayList<>();
        while (claims.size() < most) {
            int count = Math.min(CHUNK, most - claims.size());
            List<Ref> refs = store.read(db -> find.refs(db, count));
            if (refs.isEmpty()) {
                break;
            }
            List<Write<@Nullable Raw>> writes = refs.stream().map(take::of).toList();
            store.put(writes);
            if (!gather(writes, claims, at)) {
                break;
            }
        }
        return claims;
    }

    /**
     * Waits for all of them. What was taken before one failed is returned, else nobody would run it; the failure is thrown only
     * if nothing was taken, and shows again when somebody looks next.
     *
     * @return whether all went well
     */
    private boolean gather(List<Write<@Nullable Raw>> writes, List<Claim> claims, String at) {
        RuntimeException failure = null;
        for (Write<@Nullable Raw> write : writes) {
            try {
                Raw taken = write.await();
                if (taken != null) {
                    claim(taken, claims, at);
                }
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null && claims.isEmpty()) {
            throw failure;
        }
        return failure == null;
    }

    /** A scope whose input cannot be read is stuck: nobody could run it. */
    private void claim(Raw taken, List<Claim> claims, String at) {
        try {
            claims.add(taken.claim());
        } catch (JournalException e) {
            String reason = String.valueOf(e.getMessage());
            store.write("stick " + new ScopeId(taken.id()), reason.length(), db -> {
                SqliteScopes.stick(db, taken.n(), 0, reason, at);
                return true;
            });
        }
    }
}
