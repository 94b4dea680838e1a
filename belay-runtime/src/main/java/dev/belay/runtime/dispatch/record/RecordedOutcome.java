package dev.belay.runtime.dispatch.record;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads from the records of a call how it stands, without running it. */
public final class RecordedOutcome {

    /** The records of a call, below its path, that hold what hooks have left; steps of its body hold what the body likes. */
    private static final Pattern OF_HOOKS = Pattern
            .compile("(attempt|outcome)/\\d+(/asked/\\d+)?|after-hooks");

    private RecordedOutcome() {}

    /**
     * How a call ended, as far as its records say.
     *
     * @param scope what is recorded of its scope
     * @param turn number of the turn, 0 outside a session
     * @param round number of the round
     * @param index position of the call
     * @param reason why it will not go on
     */
    public static ToolOutcome of(RecordedScope scope, long turn, long round, int index, String reason) {
        String path = PlacedCall.path(turn, round, index) + "/";
        try {
            EffectRow last = last(scope.rows(), path);
            Optional<ToolOutcome> looked = RecordedHooks.looked(scope, path);
            if (looked.isPresent()) {
                return looked.get();
            }
            if (isUnseen(scope, last, path)) {
                return CallHooks.withheld(decided(scope, last, path).isEmpty());
            }
            HeldAnswer held = held(scope, last);
            ToolOutcome known = accepted(scope, last, path)
                    .or(() -> decided(scope, last, path).flatMap(AskedAnswer::outcome))
                    .orElseGet(() -> outcome(last, held, reason));
            boolean unknown = known instanceof ToolOutcome.Cancelled || (held != null && held.runsAgain());
            return unknown && hasOpenEffect(scope, path)
                    ? inDoubt(reason)
                    : known;
        } catch (BelayException unreadable) {
            return inDoubt(reason);
        }
    }

    /** Changes and spending that a call has left for its session, as far as its records say. */
    public static List<Json> left(RecordedScope scope, long turn, long round, int index) {
        String path = PlacedCall.path(turn, round, index) + "/";
        EffectRow row = last(scope.rows(), path);
        Json result = row == null || !OutcomeJson.isValue(row) ? null : row.result();
        if (result == null) {
            return List.of();
        }
        try {
            return switch (AttemptRecord.of(result)) {
                case AttemptRecord.Ended ended -> ended.aftermath().changes();
                case AttemptRecord.Parked parked -> parked.left().spent();
                case AttemptRecord.Retry retry -> retry.spent();
                case AttemptRecord.Entered entered -> List.of();
                case AttemptRecord.Unsure unsure -> unsure.left().spent();
                case AttemptRecord.Held held -> held.left().spent();
                case AttemptRecord.Asked asked -> List.of();
            };
        } catch (BelayException unreadable) {
            return List.of();
        }
    }

    /** What hooks before, body and hooks after a call have changed in its session, in this order, as far as its records say. */
    public static List<Json> changes(RecordedScope scope, long turn, long round, int index) {
        String path = PlacedCall.path(turn, round, index) + "/";
        List<Json> changes = new ArrayList<>(hooks(scope, path, "hooks"));
        EffectRow row = last(scope.rows(), path);
        if (row != null && OutcomeJson.isValue(row)
                && of(scope, turn, round, index, "") instanceof ToolOutcome.Success) {
            changes.addAll(RecordReader.items(Objects.requireNonNull(row.result()), AttemptRecord.CHANGES));
        }
        changes.addAll(hooks(scope, path, "looked"));
        return changes;
    }

    /** What hooks have left in the records of a call: in its results, or in a start whose result says nothing of them. */
    private static List<Json> hooks(RecordedScope scope, String path, String field) {
        return scope.rows()
                .values()
                .stream()
                .filter(row -> row.key().startsWith(path)
                        && OF_HOOKS.matcher(row.key().substring(path.length())).matches())
                .sorted(Comparator.comparingInt(EffectRow::ordinal))
                .flatMap(row -> Stream.of(Optional.ofNullable(row.result()), Optional.ofNullable(row.input()))
                        .flatMap(Optional::stream)
                        .filter(json -> json.get(field).isPresent())
                        .limit(1))
                .flatMap(held -> RecordReader.items(held, field).stream())
                .toList();
    }

    /**
     * The outcome in a late result: that of a body, or that of a record which was not accepted. Empty if it would not have ended
     * the call.
     */
    public static Optional<ToolOutcome> ofLate(Json result) {
        if (result.get("v").isEmpty()) {
            return Optional.of(OutcomeJson.outcome(result));
        }
        return AttemptRecord.of(result) instanceof AttemptRecord.Ended ended
                ? Optional.of(ended.outcome())
                : Optional.empty();
    }

    /** How a call stands, as far as its records say. */
    public sealed interface Standing {

        /** Nothing is recorded. */
        record Nothing() implements Standing {}

        /** It was started and has no outcome, or will be tried again. */
        record Begun() implements Standing {}

        /** It waits to be completed from outside. */
        record Waits() implements Standing {}

        /**
         * It has ended.
         *
         * @param outcome how
         */
        record Known(ToolOutcome outcome) implements Standing {}
    }

    /**
     * How a call stands.
     *
     * @param scope what is recorded of its scope
     * @param turn number of the turn, 0 outside a session
     * @param round number of the round
     * @param index position of the call
     */
    public static Standing standing(RecordedScope scope, long turn, long round, int index) {
        String path = PlacedCall.path(turn, round, index) + "/";
        Map<String, EffectRow> rows = scope.rows();
        EffectRow row = last(rows, path);
        Optional<ToolOutcome> looked = RecordedHooks.looked(scope, path);
        if (looked.isPresent()) {
            return new Standing.Known(looked.get());
        }
        if (isUnseen(scope, row, path)) {
            return new Standing.Begun();
        }
        Optional<ToolOutcome> accepted = accepted(scope, row, path);
        if (accepted.isPresent()) {
            return new Standing.Known(accepted.get());
        }
        if (row == null) {
            return rows.keySet().stream().anyMatch(key -> key.startsWith(path))
                    ? new Standing.Begun()
                    : new Standing.Nothing();
        }
        Json result = row.result();
        if (result == null || row.status() == EffectRow.Status.STARTED) {
            return new Standing.Begun();
        }
        if (OutcomeJson.isValue(row)) {
            AttemptRecord attempted = AttemptRecord.of(result);
            if (attempted instanceof AttemptRecord.Retry || attempted instanceof AttemptRecord.Entered
                    || attempted instanceof AttemptRecord.Unsure) {
                return new Standing.Begun();
            }
            if (attempted instanceof AttemptRecord.Asked) {
                return decided(scope, row, path).map(answer -> answer.outcome()
                        .<Standing>map(Standing.Known::new)
                        .orElseGet(Standing.Begun::new)).orElseGet(Standing.Waits::new);
            }
            HeldAnswer held = held(scope, row);
            if (held != null && held.runsAgain()) {
                return new Standing.Begun();
            }
            boolean waits = attempted instanceof AttemptRecord.Parked
                    ? !scope.settled().containsKey(path + AttemptRecord.COMPLETION.value())
                    : attempted instanceof AttemptRecord.Held && held == null;
            if (waits) {
                return new Standing.Waits();
            }
        }
        return new Standing.Known(of(scope, turn, round, index, "it was given up"));
    }

    /** The last attempt of a call, or the last outcome of its resumable body. */
    private static @Nullable EffectRow last(Map<String, EffectRow> rows, String path) {
        EffectRow last = null;
        for (String kind : List.of("attempt/", "outcome/")) {
            for (int number = 1; rows.get(path + kind + number) != null; number++) {
                last = rows.get(path + kind + number);
                for (int asked = 2; rows.get(path + kind + number + "/asked/" + asked) != null; asked++) {
                    last = rows.get(path + kind + number + "/asked/" + asked);
                }
            }
        }
        return last;
    }

    /** Whether something that must not be repeated was started below a call and has not ended. */
    private static boolean hasOpenEffect(RecordedScope scope, String path) {
        return scope.rows()
                .values()
                .stream()
                .anyMatch(row -> row.key().startsWith(path) && RecordedDoubts.isOpen(row, scope));
    }

    /** Whether a call was answered from outside, and the hooks that look at such answers have not seen this one. */
    private static boolean isUnseen(RecordedScope scope, @Nullable EffectRow last, String path) {
        if (!RecordedHooks.looks(last)) {
            return false;
        }
        HeldAnswer held = held(scope, last);
        Optional<ToolOutcome> person = decided(scope, last, path).flatMap(AskedAnswer::outcome);
        Resolution completion = scope.settled().get(path + AttemptRecord.COMPLETION.value());
        return (held != null && held.truth() instanceof Reconciliation.Happened)
                || person.filter(ToolOutcome.Success.class::isInstance).isPresent()
                || (completion != null && said(completion).isPresent());
    }

    /** What was said about a call while it waited for that; null if nothing was. */
    private static @Nullable HeldAnswer held(RecordedScope scope, @Nullable EffectRow last) {
        return last == null
                ? null
                : HeldAnswer.of(scope.settled().get(HeldAnswer.wait(last.key()).value())).orElse(null);
    }

    /** What was answered to the last attempt of a call, if that asks a person. */
    private static Optional<AskedAnswer> decided(RecordedScope scope, @Nullable EffectRow row, String path) {
        Json result = row == null || !OutcomeJson.isValue(row) ? null : row.result();
        if (row == null || result == null || !(AttemptRecord.of(result) instanceof AttemptRecord.Asked)) {
            return Optional.empty();
        }
        String number = row.key().substring(row.key().lastIndexOf('/') + 1);
        return Optional.ofNullable(scope.settled().get(path + AttemptRecord.Asked.wait(number).value()))
                .map(AskedAnswer::of);
    }

    /** What was accepted for the key of a call that has not ended: any of its attempts may have handed it out. */
    private static Optional<ToolOutcome> accepted(RecordedScope scope, @Nullable EffectRow last,
            String path) {
        Json result = last == null || !OutcomeJson.isValue(last) ? null : last.result();
        return result != null && AttemptRecord.of(result) instanceof AttemptRecord.Ended
                ? Optional.empty()
                : Optional.ofNullable(scope.settled().get(path + AttemptRecord.COMPLETION.value()))
                        .flatMap(RecordedOutcome::said);
    }

    private static ToolOutcome outcome(@Nullable EffectRow row, @Nullable HeldAnswer held, String reason) {
        Json result = row == null ? null : row.result();
        if (row == null || (result == null && row.status() != EffectRow.Status.STARTED)) {
            return new ToolOutcome.Cancelled(reason);
        }
        if (row.status() == EffectRow.Status.STARTED) {
            return row.isNotBegun() ? new ToolOutcome.Cancelled(reason) : inDoubt(reason);
        }
        Json recorded = Objects.requireNonNull(result);
        return !OutcomeJson.isValue(row)
                ? new ToolOutcome.Failure(OutcomeJson.failure(recorded))
                : switch (AttemptRecord.of(recorded)) {
                    case AttemptRecord.Ended ended -> ended.outcome();
                    case AttemptRecord.Parked parked -> inDoubt(reason);
                    case AttemptRecord.Unsure unsure -> inDoubt(reason);
                    case AttemptRecord.Held waiting -> held == null
                            ? new ToolOutcome.Failure(waiting.failure())
                            : held.outcome(waiting.failure());
                    case AttemptRecord.Retry retry -> new ToolOutcome.Cancelled(reason);
                    case AttemptRecord.Entered entered -> new ToolOutcome.Cancelled(reason);
                    case AttemptRecord.Asked asked -> new ToolOutcome.Cancelled(reason);
                };
    }

    /** The outcome that a resolver was told is accepted; a timeout or a cancellation says nothing about the work. */
    public static Optional<ToolOutcome> said(Resolution resolution) {
        return switch (resolution) {
            case Resolution.Ok(Json value) -> Optional.of(new ToolOutcome.Success(value));
            case Resolution.Failed(ToolFailure failure) -> Optional.of(new ToolOutcome.Failure(failure));
            case Resolution.Cancelled cancelled -> Optional.empty();
            case Resolution.TimedOut timedOut -> Optional.empty();
        };
    }

    private static ToolOutcome inDoubt(String reason) {
        return new ToolOutcome.Failure(ToolFailure.inDoubt(
                "the call was started and left no outcome, and it does not go on: " + reason));
    }
}
