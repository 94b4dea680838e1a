package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ScopeRows.AWAITED;
import static dev.belay.runtime.store.rows.ScopeRows.EFFECTS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.StoreRows.BYTES;
import static dev.belay.runtime.store.rows.StoreRows.CONTENTS;
import static dev.belay.runtime.store.rows.StoreRows.KEPT;
import static dev.belay.runtime.store.rows.StoreRows.OWNERS;

import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.rows.Index;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ScopeRows.Effect;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.StoreRows.Bytes;
import dev.belay.runtime.store.rows.StoreRows.Content;
import dev.belay.runtime.store.rows.StoreRows.Kept;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.tool.context.Attachments;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What is kept by content, what is deleted after a while, and which dead owners are forgotten.
 *
 * @param scopes whether a claim holds
 */
public record KeepRules(ScopeRules scopes) {

    /** Records that one commit deletes: some milliseconds. One scope may have many thousands of them. */
    static final int ROWS = 1_000;
    /** Bytes of contents that one commit deletes, or one content: a database visits every page of what it frees. */
    static final long BYTES_AT_ONCE = 16 << 20;
    /** Larger than any batch: what looks at all rows that refer to a content has a commit of its own. */
    private static final long ALONE = Long.MAX_VALUE / 2;
    private static final int CHUNK = 256;

    private static String child(Attachments.Reference reference) {
        return reference.hash() + " " + reference.mediaType();
    }

    /** Keeps bytes by content for a keeper; false if it was fenced, and they are not kept. */
    public Operation<Boolean> keep(Claim claim, String keeper, KeptBytes kept, Instant at) {
        Payload payload = Payload.of(kept);
        String child = kept.name();
        return Operation.of("keep " + kept.reference().hash(), payload.size(), rows -> {
            rows.add(Selector.one(SCOPES, claim.scope().value()));
            payload.select(rows);
        }, unit -> {
            boolean held = scopes.held(unit, claim) != null;
            if (held) {
                payload.keep(unit, at);
                unit.put(KEPT, new Kept(keeper, child, kept.reference().hash(), at));
            }
            return held;
        });
    }

    /** Whether a keeper keeps bytes under that name. */
    public static Operation<Boolean> isKept(String keeper, Attachments.Reference reference) {
        return Operation.reading(rows -> rows.add(Selector.one(KEPT, keeper, child(reference))),
                unit -> unit.get(KEPT, keeper, child(reference)) != null);
    }

    /** Bytes that a keeper keeps, in a new array; empty if nothing of that hash, media type and size is kept under that name. */
    public static Operation<Optional<byte[]>> kept(String keeper, Attachments.Reference reference) {
        return Operation.reading(rows -> {
            rows.add(Selector.one(KEPT, keeper, child(reference)));
            rows.add(Selector.one(BYTES, reference.hash()));
        }, unit -> {
            Bytes bytes = unit.get(KEPT, keeper, child(reference)) == null
                    ? null
                    : unit.get(BYTES, reference.hash());
            return bytes == null || bytes.bytes().length != reference.size()
                    ? Optional.empty()
                    : Optional.of(bytes.bytes().clone());
        });
    }

    /** The first row of a keeper behind a name. */
    public static Operation<Optional<Kept>> nextKept(String keeper, String after) {
        // no media type has this character, so no name lies between
        Selector<Kept> next = new Selector.Of<>(KEPT, keeper, after.isEmpty() ? null : after + "\u0001", 1);
        return Operation.reading(rows -> rows.add(next), unit -> unit.list(next).stream().findFirst());
    }

    /** The content of a row; empty if both were deleted meanwhile. */
    public static Operation<Optional<KeptBytes>> content(Kept kept) {
        return Operation.reading(rows -> rows.add(Selector.one(BYTES, kept.hash())), unit -> {
            Bytes bytes = unit.get(BYTES, kept.hash());
            return bytes == null
                    ? Optional.empty()
                    : Optional.of(KeptBytes.of(bytes.bytes(),
                            kept.reference().substring(kept.hash().length() + 1)));
        });
    }

    private static Selector<Content> unused(Instant before) {
        return Selector.found(Index.UNUSED, null, before.minusNanos(1), CHUNK);
    }

    /** Whether a content is used by no row and was last written before a moment. */
    public static Operation<Boolean> hasUnused(Instant before) {
        Selector<Content> one = Selector.found(Index.UNUSED, null, before.minusNanos(1), 1);
        return Operation.reading(rows -> rows.add(one), unit -> !unit.list(one).isEmpty());
    }

    /** Deletes some of those contents; how many. */
    public static Operation<Integer> collectUnused(Instant before) {
        Selector<Content> unused = unused(before);
        return Operation.of("collect outputs", ALONE, rows -> rows.add(unused), unit -> {
            long bytes = 0;
            int count = 0;
            for (Content content : unit.list(unused)) {
                if (bytes >= BYTES_AT_ONCE) {
                    break;
                }
                bytes += content.size();
                count++;
                unit.delete(CONTENTS, content.hash(), null);
                unit.delete(BYTES, content.hash(), null);
            }
            return count;
        });
    }

    /** Scopes that ended before a moment and may have records. */
    public static Operation<List<String>> ended(Instant before) {
        Selector<Scope> ended = Selector.found(Index.ENDED, null, before.minusNanos(1), CHUNK);
        return Operation.reading(rows -> rows.add(ended),
                unit -> unit.list(ended).stream().map(Scope::id).toList());
    }

    /**
     * Deletes records of a scope and what it keeps itself, but not what stays with a session. One that has more than one commit deletes is
     * found again. Records of a scope with an open doubt stay; {@link #release} lets a later collection find them.
     */
    public static Operation<Integer> collectRecords(String scope) {
        Selector<Effect> effects = new Selector.Of<>(EFFECTS, scope, null, ROWS);
        Selector<Kept> kept = new Selector.Of<>(KEPT, scope, null, ROWS);
        return Operation.of("collect effects", 0, rows -> {
            rows.add(Selector.one(SCOPES, scope));
            rows.add(Selector.one(AWAITED, scope));
            rows.add(DoubtRules.ofScope(scope));
            rows.add(effects);
            rows.add(kept);
        }, unit -> {
            Scope row = unit.get(SCOPES, scope);
            if (row == null || row.collected()) {
                return 0;
            }
            if (unit.first(DoubtRules.ofScope(scope)) != null) {
                unit.put(SCOPES, row.kept(true));
                return 0;
            }
            List<Effect> found = unit.list(effects);
            List<Effect> records = found.stream()
                    .filter(record -> !TurnScope.stays(row.kind(), record.row().key()))
                    .toList();
            List<Kept> references = unit.list(kept);
            records.forEach(record -> unit.delete(EFFECTS, scope, record.row().key()));
            references.forEach(reference -> unit.delete(KEPT, scope, reference.reference()));
            unit.delete(AWAITED, scope, null);
            boolean more = found.size() == ROWS && !records.isEmpty();
            unit.put(SCOPES, row.without(records.size(), !more && references.size() < ROWS));
            return records.size() + references.size();
        });
    }

    /** A doubt about an ended scope is settled: its records can be collected, or go now if this store keeps none of ended scopes. */
    static void release(Unit unit, String scope, boolean forgets) {
        Scope row = unit.get(SCOPES, scope);
        if (row == null || row.status() != Status.ENDED || unit.first(DoubtRules.ofScope(scope)) != null) {
            return;
        }
        if (forgets && row.effects() > 0) {
            forget(unit, row);
        } else if (row.collected() && row.effects() > 0) {
            unit.put(SCOPES, row.kept(false));
        }
    }

    /** Names what {@link #forget} deletes, and the doubts that keep it. */
    static void selectForgotten(Collection<Selector<?>> rows, String scope) {
        rows.add(Selector.of(EFFECTS, scope));
        rows.add(DoubtRules.ofScope(scope));
    }

    /** Deletes the records of an ended scope with its end, but not what stays with a session. */
    static void forget(Unit unit, Scope row) {
        int gone = 0;
        for (Effect record : unit.list(Selector.of(EFFECTS, row.id()))) {
            if (!TurnScope.stays(row.kind(), record.row().key())) {
                unit.delete(EFFECTS, row.id(), record.row().key());
                gone++;
            }
        }
        unit.delete(AWAITED, row.id(), null);
        unit.put(SCOPES, row.without(gone, false));
    }

    /** Forgets a dead owner, unless it still has scopes. */
    static Operation<Boolean> forget(String owner) {
        Selector<Scope> owned = new Selector.Found<>(Index.OWNED, owner, null, null, null, 1);
        return Operation.of(null, 0, rows -> rows.add(owned), unit -> {
            boolean free = unit.list(owned).isEmpty();
            if (free) {
                unit.delete(OWNERS, owner, null);
            }
            return free;
        });
    }
}
