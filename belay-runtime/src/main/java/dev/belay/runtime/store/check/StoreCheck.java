package dev.belay.runtime.store.check;

import static dev.belay.runtime.store.rows.OperatorRows.DOUBTS;
import static dev.belay.runtime.store.rows.OperatorRows.STORE;
import static dev.belay.runtime.store.rows.ScopeRows.EFFECTS;
import static dev.belay.runtime.store.rows.ScopeRows.RESOURCES;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.SessionRows.INCARNATIONS;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;
import static dev.belay.runtime.store.rows.StoreRows.BYTES;
import static dev.belay.runtime.store.rows.StoreRows.CONTENTS;
import static dev.belay.runtime.store.rows.StoreRows.COUNTERS;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Inconsistency;
import dev.belay.runtime.store.rows.Key;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.OperatorRows.DoubtRow;
import dev.belay.runtime.store.rows.ProcessRows;
import dev.belay.runtime.store.rows.ScopeRows.Resource;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows.Named;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.StoreRows.Bytes;
import dev.belay.runtime.store.rows.StoreRows.Content;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Tables;
import dev.belay.runtime.store.rows.Unit;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows of a store that contradict each other or were damaged. It only reads, also beside nodes that work: what belongs together
 * is read in one moment, one scope, session or process at a time, which is what it holds in memory. Confined to one thread.
 */
public final class StoreCheck {

    private static final int PAGE = 500;
    /** Reads rows. */
    public interface Reading {

        /** Reads rows as they stand in one moment. */
        <T extends @Nullable Object> T read(Operation<T> read);
    }

    /** Rows that are looked at together. */
    interface Part {

        void first(Collection<Selector<?>> rows);

        default void second(Unit unit, Collection<Selector<?>> rows) {}

        void look(Unit unit, FoundInconsistencies found);
    }

    private final Reading rows;
    private final int most;
    private final List<Inconsistency> found = new ArrayList<>();

    private StoreCheck(Reading rows, int most) {
        this.rows = rows;
        this.most = most;
    }

    /**
     * Looks at all rows.
     *
     * @param rows reads them
     * @param most ends when it has found so many
     */
    public static List<Inconsistency> of(Reading rows, int most) {
        var check = new StoreCheck(rows, most);
        Tables.ALL.forEach(check::checkEach);
        check.parents(SCOPES, parent -> check.look(new ScopeCheck(parent)));
        check.parents(SESSIONS, parent -> check.look(new SessionCheck(parent)));
        check.parents(ProcessRows.PROCESSES, parent -> check.look(new ProcessCheck(parent)));
        check.parents(INCARNATIONS, parent -> check.look(part(INCARNATIONS, parent, StoreCheck::name,
                StoreCheck::check)));
        check.parents(BYTES, parent -> check.look(part(BYTES, parent,
                bytes -> List.of(Selector.one(CONTENTS, bytes.hash())), StoreCheck::check)));
        new AuditCheck(rows, check.found, most).look();
        check.parents(RESOURCES, parent -> check.look(part(RESOURCES, parent, resource -> List.of(),
                (unit, resource, into) -> check(resource, into))));
        check.parents(DOUBTS, parent -> check.look(part(DOUBTS, parent,
                doubt -> List.of(Selector.one(COUNTERS, STORE, "doubt"), Selector.one(SCOPES, doubt.scope()),
                        Selector.one(EFFECTS, doubt.scope(), doubt.key())),
                StoreCheck::check)));
        return List.copyOf(check.found);
    }

    /** Calls a check for each parent of a table, until enough was found. */
    private void parents(Table<?> table, Consumer<String> check) {
        String after = "";
        while (found.size() < most) {
            List<Key> page = page(new Selector.All<>(table, after, PAGE));
            for (Key key : page) {
                if (found.size() < most) {
                    check.accept(key.parent());
                }
            }
            if (page.size() < PAGE) {
                return;
            }
            after = page.getLast().parent();
        }
    }

    /** Each row of a table can be read, and has its head. If one cannot be read, they are read one by one. */
    private void checkEach(Table<?> table) {
        parents(table, parent -> {
            var all = table.keys() == 1 ? null : Selector.of(table, parent);
            if (all == null) {
                look(new RowsCheck<>(Selector.one(table, parent)));
            } else if (!look(new RowsCheck<>(all))) {
                page(all).forEach(
                        key -> look(new RowsCheck<>(new Selector.One<>(table, parent, key.child()))));
            }
        });
    }

    private List<Key> page(Selector<?> selector) {
        return rows.read(Operation.reading(into -> into.add(selector), unit -> unit.keys(selector)));
    }

    /** Looks at some rows; false if several were read and one of them was damaged. A single damaged row is a finding. */
    private boolean look(Part part) {
        var findings = new FoundInconsistencies();
        try {
            rows.read(new Operation<>(null, 0, part::first, part::second, unit -> {
                part.look(unit, findings);
                return true;
            }));
        } catch (JournalException e) {
            if (!e.isDamage()) {
                throw e;
            }
            if (part instanceof RowsCheck<?>(Selector.One<?> one)) {
                findings.add(one.table(), one.parent(), one.child(), String.valueOf(e.getMessage()));
            } else {
                return false;
            }
        }
        found.addAll(findings.all());
        return true;
    }

    /** Looks at one row and rows that it names. */
    private static <R> Part part(Table<R> table, String parent, Function<R, List<Selector<?>>> names,
            Looking<R> looking) {
        return new Part() {

            @Override
            public void first(Collection<Selector<?>> rows) {
                rows.add(Selector.one(table, parent));
            }

            @Override
            public void second(Unit unit, Collection<Selector<?>> rows) {
                R row = unit.get(table, parent);
                if (row != null) {
                    rows.addAll(names.apply(row));
                }
            }

            @Override
            public void look(Unit unit, FoundInconsistencies found) {
                R row = unit.get(table, parent);
                if (row != null) {
                    looking.look(unit, row, found);
                }
            }
        };
    }

    /** Looks at a row. */
    private interface Looking<R> {
        void look(Unit unit, R row, FoundInconsistencies found);
    }

    private static List<Selector<?>> name(Named named) {
        return List.of(Selector.one(SESSIONS, named.session()));
    }

    private static void check(Unit unit, Named named, FoundInconsistencies found) {
        Session session = unit.get(SESSIONS, named.session());
        found.require(session != null && session.incarnation().equals(named.incarnation()), INCARNATIONS,
                named, "the session " + named.session() + " has another incarnation, or is missing");
    }

    private static void check(Unit unit, Bytes bytes, FoundInconsistencies found) {
        Content content = unit.get(CONTENTS, bytes.hash());
        found.require(hash(bytes.bytes()).equals(bytes.hash()), BYTES, bytes, "its bytes have another hash");
        found.require(content == null || content.size() == bytes.bytes().length, BYTES, bytes,
                "it has " + bytes.bytes().length + " bytes, and its content says another size");
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void check(Resource resource, FoundInconsistencies found) {
        boolean held = resource.owner() != null;
        found.require(held == (resource.scope() != null) && held == (resource.key() != null), RESOURCES,
                resource, "its holder is named in part");
        found.require(resource.fence() >= 1, RESOURCES, resource, "its fence is " + resource.fence());
    }

    private static void check(Unit unit, DoubtRow doubt, FoundInconsistencies found) {
        found.requireCounted(unit, "doubt", doubt.place(), DOUBTS, doubt);
        found.require((doubt.settlement() == null) == doubt.isOpen(), DOUBTS, doubt,
                "it is settled and lacks the time, or the reverse");
        Scope scope = unit.get(SCOPES, doubt.scope());
        found.require(scope == null || !doubt.isOpen()
                || unit.get(EFFECTS, doubt.scope(), doubt.key()) != null, DOUBTS, doubt,
                "it is open and its record is missing");
    }
}
