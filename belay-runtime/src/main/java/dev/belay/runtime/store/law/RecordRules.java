package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.OperatorRows.DOUBTS;
import static dev.belay.runtime.store.rows.ScopeRows.EFFECTS;
import static dev.belay.runtime.store.rows.ScopeRows.LATE;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.LargeResult;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.OperatorRows.DoubtRow;
import dev.belay.runtime.store.rows.ScopeRows.Effect;
import dev.belay.runtime.store.rows.ScopeRows.Late;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.Selector;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What writes decide about the records of a scope: effects, the resources they hold, late results.
 *
 * @param scopes whether a claim holds
 */
public record RecordRules(ScopeRules scopes) {

    /**
     * Writes a record, with the fence of the claim. Refused as fenced, in conflict, by a doubt, by an answer or busy, in this order.
     *
     * @throws dev.belay.BelayException {@code resource_limit} if the result is larger than {@link LargeResult#LARGEST}
     */
    public Operation<Written> write(Claim claim, EffectWrite write) {
        String scope = claim.scope().value();
        EffectRow row = write.row();
        String takes = write.takes();
        Payload result = Payload.of(row.result());
        var resources = new ResourceRules(scopes.owner(), scope, row.key());
        return new Operation<>(new Operation.Label("effect ", row.key(), row.status()),
                result.size() + length(row.identity()) + length(row.input())
                        + (write.issued() == null ? 0 : length(write.issued().schema())),
                rows -> {
                    ScopeRules.selectHead(rows, claim);
                    rows.add(Selector.one(EFFECTS, scope, row.key()));
                    resources.select(rows, takes);
                    resources.select(rows, write.releases());
                    Waits.select(rows, scope, write.opens());
                    if (write.closes() != null) {
                        Waits.select(rows, scope, write.closes());
                    }
                    if (write.follows() != null) {
                        rows.add(Selector.one(WAITS, scope, write.follows().name().value()));
                    }
                    if (write.issued() != null) {
                        Waits.select(rows, scope, write.issued().name());
                    }
                    DoubtRules.select(rows, scope, write.doubts());
                    DoubtRules.selectGuard(rows, write.guard(), row.resource());
                    result.select(rows);
                    if (!write.notes().isEmpty()) {
                        AuditRules.select(rows);
                    }
                },
                takes == null && write.doubts().isEmpty()
                        ? null
                        : (unit, rows) -> {
                            if (takes != null) {
                                resources.selectHolder(unit, rows, takes);
                            }
                            DoubtRules.selectEarly(unit, rows, scope, write.doubts());
                        },
                unit -> {
                    Scope head = scopes.held(unit, claim);
                    if (head == null) {
                        return new Written(Refusal.FENCED, 0);
                    }
                    Effect existing = unit.get(EFFECTS, scope, row.key());
                    if (existing != null && existing.row().status() != EffectRow.Status.STARTED) {
                        return new Written(Refusal.CONFLICT, 0);
                    }
                    DoubtRow doubt = DoubtRules.unsettled(unit, write.guard(), row.resource());
                    if (doubt != null) {
                        return Written.doubted(doubt.id());
                    }
                    Resolution answer = write.closes() == null
                            ? Waits.instead(unit, head, write.follows())
                            : Waits.answer(unit, head, write.closes());
                    if (answer != null) {
                        return new Written(Refusal.ANSWERED, 0, null, answer);
                    }
                    if (takes != null && write.guard() != null && resources.isLeft(unit, takes)) {
                        return new Written(Refusal.BUSY, 0);
                    }
                    Written taken = takes == null
                            ? Written.DONE
                            : resources.take(unit, takes);
                    if (taken.refusal() != null) {
                        return taken;
                    }
                    result.keep(unit, write.at());
                    unit.put(EFFECTS, effect(scope, row, claim.fence(), result, existing, write.at()));
                    if (write.releases() != null) {
                        resources.release(unit, write.releases());
                    }
                    doubts().open(unit, scope, write.doubts(), write.at());
                    boolean held = !write.doubts().isEmpty()
                            && write.doubts().stream().anyMatch(some -> some.about().holds() != null);
                    Scope closed = write.closes() == null || held
                            ? head.entries(0)
                            : Waits.close(unit, head.entries(0), write.closes(), write.at());
                    Scope opened = Waits.open(unit, closed, write.opens(), write.at());
                    if (write.issued() != null) {
                        Waits.issue(unit, head, write.issued().name(), write.issued().schema());
                    }
                    Scope counted = existing == null
                            ? opened.counted(opened.effects() + 1, opened.waits(), opened.completions())
                            : opened;
                    if (!counted.equals(head)) {
                        unit.put(SCOPES, counted);
                    }
                    doubts().settleEarly(unit, scope, write.doubts(), write.at());
                    if (!write.notes().isEmpty()) {
                        write.notes()
                                .forEach(note -> AuditRules.note(unit, new AuditEntry.Note(Actor.POLICY,
                                        note.verb(), note.target(), note.details()), write.at()));
                    }
                    return taken;
                });
    }

    private static int length(@Nullable Json value) {
        return value == null ? 0 : value.text().length();
    }

    private DoubtRules doubts() {
        return new DoubtRules(scopes);
    }

    /**
     * Keeps the schema of the values that may settle a wait, before its key is handed out. Does nothing if the wait is settled; false if the
     * claim does not hold.
     *
     * @param schema as {@code JsonSchema.kept} writes it
     */
    public Operation<Boolean> issue(Claim claim, WaitName wait, Json schema) {
        String scope = claim.scope().value();
        return Operation.of("issue " + wait, length(schema), rows -> {
            ScopeRules.selectHead(rows, claim);
            Waits.select(rows, scope, wait);
        }, unit -> {
            Scope head = scopes.held(unit, claim);
            if (head != null) {
                Waits.issue(unit, head, wait, schema);
            }
            return head != null;
        });
    }

    private static Effect effect(String scope, EffectRow row, long fence, Payload result,
            @Nullable Effect existing, Instant at) {
        boolean asIs = result.hash() == null && row.fence() == fence;
        return new Effect(scope, asIs ? row : row.with(result.inline(), fence), result.hash(),
                existing == null ? at : existing.firstAt(), at);
    }

    /**
     * Takes a resource for a record without writing one. Taking what the same record of this owner holds already succeeds, with a new fence.
     * A holder is a record of one owner, and alive as long as that owner is.
     */
    public Operation<Written> hold(Claim claim, String resource, String key) {
        var resources = new ResourceRules(scopes.owner(), claim.scope().value(), key);
        return new Operation<>("hold " + resource, 0, rows -> {
            ScopeRules.selectHead(rows, claim);
            resources.select(rows, resource);
        }, (unit, rows) -> resources.selectHolder(unit, rows, resource),
                unit -> scopes.held(unit, claim) == null
                        ? new Written(Refusal.FENCED, 0)
                        : resources.take(unit, resource));
    }

    /** Releases a resource that a record took, after the record was written. Does nothing if another record or owner holds it. */
    public Operation<Boolean> release(String resource, ScopeId scope, String key) {
        var resources = new ResourceRules(scopes.owner(), scope.value(), key);
        return Operation.of("release " + resource, 0, rows -> resources.select(rows, resource),
                unit -> resources.release(unit, resource));
    }

    /** Keeps a late result; the first one for a key stays. If it is the answer of its body, it settles the doubt about its record. */
    public Operation<Boolean> late(ScopeId scope, String key, Json result, Instant at) {
        String id = scope.value();
        Payload payload = Payload.of(result);
        return new Operation<>("late " + key, payload.size(), rows -> {
            rows.add(Selector.one(SCOPES, id));
            rows.add(Selector.one(LATE, id, key));
            rows.add(Selector.one(DOUBTS, Doubt.id(id, key)));
            payload.select(rows);
        }, (unit, rows) -> doubts().selectSettled(unit.get(DOUBTS, Doubt.id(id, key)), rows), unit -> {
            boolean first = unit.get(SCOPES, id) != null && unit.get(LATE, id, key) == null;
            if (first) {
                payload.keep(unit, at);
                unit.put(LATE, new Late(id, key, payload.inline(), payload.hash(), at));
                doubts().late(unit, id, key, result, at);
            }
            return first;
        });
    }
}
