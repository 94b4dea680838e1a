package dev.belay.runtime.dispatch.record;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.IdempotencyKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds calls and steps that may have happened in the records of a scope that does not go on. */
public final class RecordedDoubts {

    /** The code in the record of a step whose reconciler threw. Its retry advice says whether the first run of the step is over. */
    public static final String UNSURE = "unsure";
    /** The code in the record of a step that waits until its doubt is settled. */
    public static final String HELD = "held";

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");
    /** The path of a call, the number of a question, the record of the step that it is about, and the attempt of that. */
    private static final Pattern STEP = Pattern.compile(
            "((?:round/(\\d+)/)?call/(\\d+)/)(?:asked/(\\d+)/)?((?:again/)*step/(\\d+)/.*)", Pattern.DOTALL);
    private static final Pattern CALL = Pattern.compile("(?:round/(\\d+)/)?call/(\\d+)/.*", Pattern.DOTALL);

    private RecordedDoubts() {}

    /** Equal for calls of one family of sessions that would do the same. */
    public static String guard(String family, Preparation call) {
        return new FramedHash().add("belay-guard-1")
                .add(family)
                .add(call.tool().value())
                .add(call.arguments())
                .hex();
    }

    /**
     * Attempts and steps that were started or parked, must not be repeated, and have neither an outcome nor a doubt.
     *
     * @param scope what is recorded
     * @param session whose, or null
     * @param family of the session; null for that of the call alone
     * @param why they do not go on
     */
    public static List<OpenDoubt.Of> of(RecordedScope scope, @Nullable String session,
            @Nullable String family, String why) {
        List<OpenDoubt.Of> found = new ArrayList<>();
        for (EffectRow row : sorted(scope)) {
            try {
                OpenDoubt.Of doubt = switch (row.kind()) {
                    case "attempt" -> isOpenAttempt(row, scope)
                            ? new OpenDoubt.Of(row.key(), about(row, null, row, session, family, why))
                            : null;
                    case "outcome" -> outcome(row, scope, session, family, why);
                    case "step" -> isOpenStep(row, scope) ? step(row, scope, session, family, why) : null;
                    default -> null;
                };
                if (doubt != null && !scope.late().contains(doubt.record())) {
                    found.add(doubt);
                }
            } catch (BelayException unreadable) {
                LOG.warn("The record {} cannot be read, and whether it happened is not kept", row.key(),
                        unreadable);
            }
        }
        return found;
    }

    private static List<EffectRow> sorted(RecordedScope scope) {
        return scope.rows().values().stream().sorted(Comparator.comparing(EffectRow::key)).toList();
    }

    /** The ids of doubts that the records of a scope have opened, except those of calls and steps that waited and were answered. */
    public static List<String> known(ScopeId id, RecordedScope scope) {
        Set<String> found = new TreeSet<>();
        for (EffectRow row : sorted(scope)) {
            Json result = row.result();
            if (result == null || row.status() != EffectRow.Status.IN_DOUBT) {
                continue;
            }
            Matcher step = STEP.matcher(row.key());
            if (step.matches()) {
                String code = OutcomeJson.failure(result).code();
                if (code.equals("in_doubt") || (code.equals(HELD) && !isAnswered(step, scope))) {
                    found.add(Doubt.id(id.value(), step.group(1) + step.group(5)));
                }
            } else if (!OutcomeJson.isFailure(result)) {
                switch (AttemptRecord.of(result)) {
                    case AttemptRecord.Ended ended -> found.addAll(ended.aftermath().doubts());
                    case AttemptRecord.Held held when !isAnsweredCall(row.key(), scope) ->
                        found.add(held.doubt());
                    default -> {
                    }
                }
            }
        }
        return List.copyOf(found);
    }

    /** Whether what must not be repeated was started below a call, and neither has an answer nor waits for one. */
    static boolean isOpen(EffectRow row, RecordedScope scope) {
        if (!row.kind().equals("step")) {
            return isStarted(row);
        }
        Matcher step = STEP.matcher(row.key());
        return step.matches() && (isOpenStep(row, scope)
                || (isFailure(row, HELD) && !isAnswered(step, scope)));
    }

    private static boolean isStarted(EffectRow row) {
        return row.status() == EffectRow.Status.STARTED && row.effect() == ToolEffect.ONCE
                && !row.isNotBegun();
    }

    private static boolean isFailure(EffectRow row, String code) {
        Json result = row.result();
        return result != null && row.status() != EffectRow.Status.COMPLETED
                && row.status() != EffectRow.Status.STARTED
                && OutcomeJson.failure(result).code().equals(code);
    }

    private static boolean isAnswered(Matcher step, RecordedScope scope) {
        return HeldAnswer.of(scope.settled().get(step.group(1) + "doubt/" + step.group(5))).isPresent();
    }

    private static boolean isAnsweredCall(String key, RecordedScope scope) {
        return HeldAnswer.of(scope.settled().get(HeldAnswer.wait(key).value())).isPresent();
    }

    /** A step counts until its body has an outcome, which then says what is known. */
    private static boolean isOpenStep(EffectRow row, RecordedScope scope) {
        Matcher step = STEP.matcher(row.key());
        if (!step.matches() || scope.rows().containsKey(step.group(1) + "outcome/" + step.group(6))) {
            return false;
        }
        int next = step.group(4) == null ? 2 : Integer.parseInt(step.group(4)) + 1;
        return isStarted(row) || (isFailure(row, UNSURE)
                && !scope.rows().containsKey(step.group(1) + "asked/" + next + "/" + step.group(5)));
    }

    /** The attempt that a resumable body was entered by: the last one, because those before it have asked a person. */
    private static @Nullable EffectRow entered(RecordedScope scope, String path) {
        int number = 1;
        while (scope.rows().containsKey(path + "attempt/" + (number + 1))) {
            number++;
        }
        return scope.rows().get(path + "attempt/" + number);
    }

    private static OpenDoubt.@Nullable Of step(EffectRow row, RecordedScope scope, @Nullable String session,
            @Nullable String family, String why) {
        Matcher step = STEP.matcher(row.key());
        EffectRow entered = step.matches() ? entered(scope, step.group(1)) : null;
        return entered == null || entered.input() == null
                ? null
                : new OpenDoubt.Of(step.group(1) + step.group(5),
                        about(entered, RecordReader.text(row.identity(), "step"), row, session, family, why));
    }

    /** A resumable body that has ended without an answer, if its reconciler is still asked. */
    private static OpenDoubt.@Nullable Of outcome(EffectRow row, RecordedScope scope,
            @Nullable String session, @Nullable String family, String why) {
        String path = row.key().substring(0, row.key().lastIndexOf("outcome/"));
        EffectRow entered = entered(scope, path);
        Json result = row.result();
        return entered == null || entered.input() == null || result == null
                || isAccepted(entered.key(), scope)
                || !(AttemptRecord.of(result) instanceof AttemptRecord.Unsure unsure)
                || !isOpen(unsure, row.key(), scope.rows())
                        ? null
                        : new OpenDoubt.Of(row.key(), about(entered, null, row, session, family, why));
    }

    /** What the provider froze for the call that a doubt is about; null if that is nothing, or the records are gone. */
    public static @Nullable Json payload(String doubt, ScopeId scope, List<EffectRow> rows) {
        for (EffectRow row : rows) {
            if (Doubt.id(scope.value(), row.key()).equals(doubt)) {
                String path = row.key().replaceFirst("(attempt|outcome)/\\d+$", "");
                return rows.stream()
                        .filter(attempt -> attempt.key().matches(Pattern.quote(path) + "attempt/\\d+"))
                        .map(EffectRow::input)
                        .filter(Objects::nonNull)
                        .reduce((first, last) -> last)
                        .map(input -> Preparation.of(input).payload())
                        .orElse(null);
            }
        }
        return null;
    }

    private static boolean isAccepted(String attempt, RecordedScope scope) {
        Resolution said = scope.settled().get(completion(attempt));
        return said instanceof Resolution.Ok || said instanceof Resolution.Failed;
    }

    private static boolean isOpenAttempt(EffectRow row, RecordedScope scope) {
        if (row.input() == null || row.effect() != ToolEffect.ONCE || isAccepted(row.key(), scope)) {
            return false;
        }
        Json result = row.result();
        return isStarted(row) || (result != null && row.status() == EffectRow.Status.COMPLETED
                && isOpen(AttemptRecord.of(result), row.key(), scope.rows()));
    }

    private static boolean isOpen(AttemptRecord attempted, String key, Map<String, EffectRow> rows) {
        return switch (attempted) {
            case AttemptRecord.Parked parked -> true;
            case AttemptRecord.Unsure unsure -> {
                EffectRow asked = rows.get(key + "/asked/" + (unsure.asked() + 1));
                Json result = asked == null ? null : asked.result();
                yield result == null || isOpen(AttemptRecord.of(result), key, rows);
            }
            default -> false;
        };
    }

    /** The wait for the completion of the call that a record belongs to. */
    private static String completion(String key) {
        return key.substring(0, key.lastIndexOf("attempt/")) + AttemptRecord.COMPLETION.value();
    }

    /**
     * What is in doubt.
     *
     * @param attempt the record of the call
     * @param step the id of the step, or null for the call as a whole
     * @param started the record that has no answer: that of the step, or of the call
     */
    private static OpenDoubt about(EffectRow attempt, @Nullable String step, EffectRow started,
            @Nullable String session, @Nullable String family, String why) {
        Preparation call = Preparation.of(Objects.requireNonNull(attempt.input()));
        PlacedCall placed = PlacedCall.of(new ScopeInput(PlacedCall.KIND, identified(attempt.identity())));
        IdempotencyKey.Place place = placed.place();
        Json input = started.input();
        AttemptRecord.Unsure unsure = unsure(started);
        return new OpenDoubt(
                new OpenDoubt.Call(session, place.turn(),
                        CallId.of(place.round(), place.position()).value(), call.tool(), placed.name(), step,
                        step == null || input == null ? call.arguments() : input, call.fingerprint().value(),
                        null,
                        (step == null
                                ? IdempotencyKey.of(place, call.tool())
                                : IdempotencyKey.of(place, call.tool(), step)).value()),
                guard(family == null ? place.incarnation().toString() : family, call), attempt.resource(),
                step == null ? new WaitName(completion(attempt.key())) : null, null,
                unsure != null && unsure.over(),
                unsure == null ? started.startedBy() : unsure.owner(), "in_doubt",
                (step == null ? "the call" : "step \"" + step + "\"")
                        + " was started and left no outcome, and it does not go on: " + why);
    }

    private static AttemptRecord.@Nullable Unsure unsure(EffectRow row) {
        return row.result() != null && row.status() == EffectRow.Status.COMPLETED
                && AttemptRecord.of(row.result()) instanceof AttemptRecord.Unsure unsure ? unsure : null;
    }

    /** The identity of a call with the rest of what its scope would start from. */
    private static Json identified(Json identity) {
        return Json.write(out -> {
            out.beginObject().name("v").value(1);
            identity.fields().forEach((name, value) -> out.name(name).value(value));
            out.name("id").value("?").endObject();
        });
    }

    /** Tells of doubts that were opened because a scope was abandoned. */
    public static void tell(ScopeId scope, List<OpenDoubt.Of> doubts, Consumer<CallEvent> listener) {
        for (OpenDoubt.Of doubt : doubts) {
            OpenDoubt.Call call = doubt.about().call();
            String id = Doubt.id(scope.value(), doubt.record());
            warn(call.name(), call.id(), call.session() == null || call.turn() == 0
                    ? scope.toString()
                    : "turn " + call.turn() + " of session " + call.session(), id);
            Matcher place = CALL.matcher(doubt.record());
            if (place.matches()) {
                String round = place.group(1);
                listener.accept(new CallEvent.InDoubt(new CallReference(scope, call.turn(),
                        round == null ? 0 : Long.parseLong(round), Integer.parseInt(place.group(2)),
                        new CallId(call.id()), call.name(), call.arguments().text()), id, false));
            }
        }
    }

    /** The line of a call that may have happened. */
    public static void warn(String tool, String call, String where, String doubt) {
        LOG.warn("Tool {} may have happened: call {} of {}, doubt {}", tool, call, where, doubt);
    }
}
