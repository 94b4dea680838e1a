package dev.belay.runtime.dispatch.record;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.runtime.policy.AskedArguments;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.option.RetryAdvice;
import java.time.Instant;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the wait of a call that asks was settled.
 *
 * @param said what a person answered, or null if the call stopped waiting without an answer
 * @param settled the settlement
 */
public record AskedAnswer(@Nullable ApprovalAnswer said, Resolution settled) {

    /** The answer in the settlement of a wait. */
    public static AskedAnswer of(Resolution settled) {
        return settled instanceof Resolution.Ok(Json value)
                ? new AskedAnswer(ApprovalAnswer.of(value).orElse(null), settled)
                : new AskedAnswer(null, settled);
    }

    /**
     * What a person is asked about a call.
     *
     * @param input of its attempt
     * @param result of its attempt; null if that is kept by content
     */
    public static Optional<ApprovalRequest> request(Json input, @Nullable Json result) {
        try {
            Json anew = result == null ? null : result.at("/asked/" + AttemptRecord.REQUEST).orElse(null);
            Preparation call = Preparation
                    .of(anew == null || result == null ? input : result.get("call").orElseThrow());
            Json stored = anew == null ? input.get(AttemptRecord.REQUEST).orElse(null) : anew;
            return Optional.ofNullable(stored)
                    .map(request -> ApprovalRequest.of(request, call.arguments(), call.payload()));
        } catch (BelayException | NoSuchElementException unreadable) {
            return Optional.empty();
        }
    }

    /**
     * The arguments of a call about which a person was asked; null if none was.
     *
     * @param scope what is recorded of the scope of its owner
     * @param call the name of its scope in that
     */
    public static @Nullable AskedArguments arguments(RecordedScope scope, String call) {
        Json proposed = null;
        Json decided = null;
        for (int number = 1;; number++) {
            EffectRow row = scope.rows().get(call + "/attempt/" + number);
            Json result = row == null || row.status() == EffectRow.Status.STARTED ? null : row.result();
            if (result != null && AttemptRecord.of(result) instanceof AttemptRecord.Asked asked) {
                Resolution settled = scope.settled()
                        .get(call + "/" + AttemptRecord.Asked.wait(Integer.toString(number)).value());
                Json about = asked.call().arguments();
                proposed = proposed == null ? about : proposed;
                decided = settled != null && of(settled).said() instanceof ApprovalAnswer.Edit(Json edited)
                        ? edited
                        : about;
            } else {
                return proposed == null || decided == null
                        ? null
                        : new AskedArguments(proposed, decided, effective(row));
            }
        }
    }

    /** The arguments with which an attempt was begun; null if it was not. */
    private static @Nullable Json effective(@Nullable EffectRow row) {
        Json input = row == null || row.isNotBegun() ? null : row.input();
        return input == null ? null : input.get("arguments").orElse(null);
    }

    /** When a person answered; empty if none did. */
    public Optional<Instant> at() {
        return settled instanceof Resolution.Ok(Json value) ? ApprovalAnswer.at(value) : Optional.empty();
    }

    /** The end of the call; empty if it may run. */
    public Optional<ToolOutcome> outcome() {
        return switch (said) {
            case ApprovalAnswer.Approve approve -> Optional.empty();
            case ApprovalAnswer.Edit edit -> Optional.empty();
            case ApprovalAnswer.Answer(Json value) -> Optional.of(new ToolOutcome.Success(value));
            case ApprovalAnswer.Deny(String words) -> Optional.of(new ToolOutcome.Rejected(
                    "a person has denied this call" + (words.isEmpty() ? "" : ": " + words)));
            case null -> Optional.of(unanswered());
        };
    }

    private ToolOutcome unanswered() {
        return switch (settled) {
            case Resolution.Cancelled(String reason) -> new ToolOutcome.Cancelled(reason);
            case Resolution.Failed(ToolFailure failure) -> new ToolOutcome.Failure(failure);
            case Resolution.TimedOut expired -> new ToolOutcome.Failure(new ToolFailure(
                    ToolFailure.Kind.PERMISSION_DENIED, "approval_expired",
                    "no person has answered whether this call may run; it was not run",
                    ToolFailure.Source.POLICY,
                    RetryAdvice.NEVER));
            case Resolution.Ok unreadable ->
                new ToolOutcome.Rejected("the answer of a person cannot be read");
        };
    }
}
