package dev.belay.runtime.store.law;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.runtime.store.rows.OperatorRows.DoubtRow;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import org.jspecify.annotations.Nullable;

/** Doubts as their rows keep them. */
final class DoubtJson {

    private static final String DID_NOT = "did_not_happen";

    private DoubtJson() {}

    /** What a row keeps beside what is searched for. */
    static Json of(OpenDoubt about) {
        OpenDoubt.Call call = about.call();
        return Json.write(out -> {
            out.beginObject().name("turn").value(call.turn());
            out.name("call").value(call.id()).name("tool").value(call.tool().value());
            out.name("name").value(call.name());
            if (call.step() != null) {
                out.name("step").value(call.step());
            }
            out.name("arguments").value(call.arguments()).name("fingerprint").value(call.fingerprint());
            if (call.output() != null) {
                out.name("output").value(call.output());
            }
            out.name("idempotency").value(call.idempotencyKey());
            out.name("code").value(about.code()).name("why").value(about.why()).endObject();
        });
    }

    static Doubt of(DoubtRow row) {
        return of(row, row.over());
    }

    /**
     * A doubt.
     *
     * @param over whether the first body cannot run any more, as it is now
     */
    static Doubt of(DoubtRow row, boolean over) {
        Json call = row.call();
        return RecordReader.read("doubt", call, () -> new Doubt(row.id(), row.place(), row.since(),
                new ScopeId(row.scope()),
                new OpenDoubt(new OpenDoubt.Call(row.session(), RecordReader.field(call, "turn").asLong(),
                        RecordReader.text(call, "call"), new ToolId(RecordReader.text(call, "tool")),
                        RecordReader.text(call, "name"),
                        RecordReader.optionalText(call, "step"), RecordReader.field(call, "arguments"),
                        RecordReader.text(call, "fingerprint"), call.get("output").orElse(null),
                        RecordReader.text(call, "idempotency")),
                        row.guard(), row.resource(), key(row),
                        row.holds() == null ? null : new WaitName(row.holds()),
                        over, row.owner().isEmpty() ? null : row.owner(),
                        RecordReader.text(call, "code"),
                        RecordReader.text(call, "why")),
                settlement(row)));
    }

    /** Names a wait of a scope in one word. */
    static String answers(String scope, String wait) {
        return scope + " " + wait;
    }

    /** The wait by which a service outside may still answer it, or null. */
    static @Nullable WaitName key(DoubtRow row) {
        String answers = row.answers();
        return answers == null ? null : new WaitName(answers.substring(row.scope().length() + 1));
    }

    static Json of(Reconciliation<ToolOutcome> truth, Actor by) {
        return Json.write(out -> {
            out.beginObject();
            switch (truth) {
                case Reconciliation.Happened<ToolOutcome>(ToolOutcome outcome) ->
                    OutcomeJson.write(out.name("happened"), outcome);
                case Reconciliation.DidNotHappen<ToolOutcome>(String reason) ->
                    out.name(DID_NOT).value(reason);
                case Reconciliation.Unknown<ToolOutcome> unknown ->
                    throw new IllegalArgumentException("what is unknown settles no doubt");
            }
            out.name("by").value(by.name()).name("door").value(by.door()).endObject();
        });
    }

    private static Doubt.@Nullable Settlement settlement(DoubtRow row) {
        Json said = row.settlement();
        return said == null || row.settledAt() == null
                ? null
                : new Doubt.Settlement(truth(said),
                        new Actor(RecordReader.text(said, "by"), RecordReader.text(said, "door")),
                        row.settledAt());
    }

    private static Reconciliation<ToolOutcome> truth(Json said) {
        return said.get("happened")
                .<Reconciliation<ToolOutcome>>map(
                        outcome -> Reconciliation.happened(OutcomeJson.outcome(outcome)))
                .orElseGet(() -> Reconciliation.didNotHappen(RecordReader.text(said, DID_NOT)));
    }
}
