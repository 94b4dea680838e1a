package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ScopeRows.EFFECTS;
import static dev.belay.runtime.store.rows.ScopeRows.KEYS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;
import static dev.belay.runtime.store.rows.SessionRows.ARRIVALS;
import static dev.belay.runtime.store.rows.SessionRows.PROFILES;
import static dev.belay.runtime.store.rows.SessionRows.SESSIONS;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.policy.Grant;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.law.OperatorReads.OpenKey;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.ScopeRows.WaitKey;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows.Arrived;
import dev.belay.runtime.store.rows.SessionRows.Profile;
import dev.belay.runtime.store.rows.SessionRows.Session;
import dev.belay.runtime.store.rows.Unit;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a person's decision about a wait leads to.
 *
 * @param scopes wake the scope whose wait it is
 */
public record DecisionRules(ScopeRules scopes) {

    /**
     * A grant that is written with a decision, and what else the session is told.
     *
     * @param session whose
     * @param grant what holds for further calls, or null
     * @param notice what the model is told at its next round, or null
     * @param turn of the call
     */
    public record Granting(SessionId session, @Nullable Grant grant, @Nullable Arrival notice, long turn) {}

    /** What became of a decision. */
    public sealed interface Deciding {

        /**
         * It counts.
         *
         * @param woken the right to run the scope, if it goes on here
         */
        record Decided(@Nullable Claim woken) implements Deciding {}

        /**
         * Another one was there before.
         *
         * @param first which
         */
        record Already(Resolution first) implements Deciding {}

        /** The wait is gone. */
        record Unknown() implements Deciding {}
    }

    /** What became of another decision. */
    public enum Replacing {
        /** It counts. */
        DONE,
        /** What follows from the decision has begun. */
        BEGUN,
        /** The decision is another one by now, or its scope has ended. */
        GONE
    }

    /**
     * Settles an open wait by what a person has decided, with a note in the audit log. The first decision counts.
     *
     * @param key which wait, as it was listed
     * @param decided what its scope reads
     * @param note for the audit log
     * @param granting what holds for further calls of the session, and what the session is told, or null
     * @param take whether to own a scope that goes on because of it
     */
    public Operation<Deciding> decide(OpenKey key, Resolution decided, AuditEntry.Note note,
            @Nullable Granting granting, boolean take, Instant at) {
        String scope = key.scope().value();
        String wait = key.opened().name().value();
        Json resolution = OutcomeJson.of(decided);
        return Operation.of("decide " + wait, resolution.text().length(), rows -> {
            ScopeRules.selectWhole(rows, scope);
            rows.add(Selector.one(WAITS, scope, wait));
            AuditRules.select(rows);
            if (granting != null) {
                rows.add(Selector.one(SESSIONS, granting.session().value()));
                rows.add(Selector.one(PROFILES, granting.session().value()));
                if (granting.notice() != null) {
                    rows.add(Selector.one(ARRIVALS, granting.session().value(), granting.notice().id()));
                }
            }
        }, unit -> {
            Scope row = unit.get(SCOPES, scope);
            Wait open = row == null ? null : Waits.find(unit, row, wait);
            if (row == null || open == null || !row.incarnation().equals(key.incarnation())) {
                return new Deciding.Unknown();
            }
            if (open.resolution() != null) {
                return new Deciding.Already(OutcomeJson.resolution(open.resolution()));
            }
            if (row.status() == Status.ENDED) {
                return new Deciding.Unknown();
            }
            AuditRules.note(unit, note, at);
            if (granting != null) {
                tell(unit, key.scope(), granting, at);
            }
            Claim woken = scopes.settle(unit, row, wait, resolution, take, at);
            unit.put(KEYS, new WaitKey(scope, wait, key.keyId(), null, null)); // the decision can be found until the scope ends
            return new Deciding.Decided(woken);
        });
    }

    /**
     * Puts another decision in the place of one from which nothing has followed, with a note in the audit log.
     *
     * @param key which wait, as it was found
     * @param next the record that follows from it
     * @param instead what its scope reads from then on
     * @param note for the audit log
     * @param granting what was given with the decision and goes with it, or null
     */
    public static Operation<Replacing> replace(OpenKey key, String next, Resolution instead,
            AuditEntry.Note note, @Nullable Granting granting, Instant at) {
        Json by = OutcomeJson.of(instead);
        String scope = key.scope().value();
        String wait = key.opened().name().value();
        return Operation.of("replace " + wait, by.text().length(), rows -> {
            rows.add(Selector.one(SCOPES, scope));
            rows.add(Selector.one(WAITS, scope, wait));
            rows.add(Selector.one(EFFECTS, scope, next));
            AuditRules.select(rows);
            if (granting != null) {
                rows.add(Selector.one(PROFILES, granting.session().value()));
            }
        }, unit -> {
            Scope row = unit.get(SCOPES, scope);
            Wait known = row == null ? null : Waits.find(unit, row, wait);
            if (row == null || known == null || !row.incarnation().equals(key.incarnation())
                    || row.status() == Status.ENDED
                    || !OutcomeJson.of(Objects.requireNonNull(key.opened().resolution()))
                            .equals(known.resolution())) {
                return Replacing.GONE;
            }
            if (unit.get(EFFECTS, scope, next) != null) {
                return Replacing.BEGUN;
            }
            unit.put(WAITS, known.settled(by, at));
            AuditRules.note(unit, note, at);
            Profile profile = granting == null ? null : unit.get(PROFILES, granting.session().value());
            if (granting != null && granting.grant() != null && profile != null) {
                unit.put(PROFILES,
                        new Profile(profile.session(), profile.value().revoked(granting.grant().id())));
            }
            return Replacing.DONE;
        });
    }

    /** Writes what holds for further calls and what the model is told, if the session is still the one that asked. */
    private static void tell(Unit unit, ScopeId scope, Granting granting, Instant at) {
        Session head = unit.get(SESSIONS, granting.session().value());
        if (head == null || !TurnScope.isOf(scope, head.incarnation())) {
            return;
        }
        if (granting.grant() != null) {
            Profile known = unit.get(PROFILES, head.id());
            SessionProfile before = known == null ? SessionProfile.PLAIN : known.value();
            unit.put(PROFILES, new Profile(head.id(), before.granted(granting.grant(), granting.turn())));
        }
        if (granting.notice() != null && unit.get(ARRIVALS, head.id(), granting.notice().id()) == null) {
            Session told = head.arrived(at);
            unit.put(ARRIVALS, new Arrived(head.id(), granting.notice(), told.lastPlace(), null, at));
            unit.put(SESSIONS, told);
        }
    }
}
