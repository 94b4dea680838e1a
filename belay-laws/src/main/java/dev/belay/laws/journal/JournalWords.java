package dev.belay.laws.journal;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeView.LateResult;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Cancelling;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.runtime.store.journal.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes the answers of a journal in the text form of {@link JournalModel}. Passes each claim in them to a consumer. */
final class JournalWords {

    private final Consumer<Claim> claims;

    JournalWords(Consumer<Claim> claims) {
        this.claims = claims;
    }

    String of(Submission submission) {
        return switch (submission) {
            case Submission.Created created -> "created " + of(created.claim());
            case Submission.Known known -> "known";
            case Submission.Conflict conflict -> "conflict " + conflict.recorded().value().asString();
        };
    }

    String of(Settlement settlement) {
        return switch (settlement) {
            case Settlement.Accepted accepted -> "accepted " + of(accepted.woken());
            case Settlement.Lost lost -> "lost to " + of(lost.winner());
            case Settlement.Unknown unknown -> "unknown";
        };
    }

    String of(Cancelling cancelling) {
        return switch (cancelling.receipt()) {
            case CancelReceipt.Requested requested -> "requested " + of(cancelling.woken());
            case CancelReceipt.AlreadyRequested already -> "requested because " + already.reason();
            case CancelReceipt.AlreadyEnded ended -> "ended with " + ended.result().asString();
            case CancelReceipt.Unknown unknown -> "unknown";
        };
    }

    String of(List<Claim> taken) {
        return new TreeSet<>(taken.stream().map(this::of).toList()).toString();
    }

    String of(@Nullable Claim claim) {
        if (claim == null) {
            return "nobody";
        }
        claims.accept(claim);
        return JournalModel.words(claim.scope().value(), claim.fence(), claim.entries(),
                claim.cancelReason());
    }

    static String of(Written written) {
        return written.refusal() + (written.resourceFence() > 0 ? " taken" : " 0");
    }

    private static String of(@Nullable Resolution resolution) {
        return switch (resolution) {
            case null -> "null";
            case Resolution.Ok ok -> "ok " + ok.value();
            case Resolution.Failed failed -> "failed";
            case Resolution.TimedOut timedOut -> "timeout";
            case Resolution.Cancelled cancelled -> "cancelled";
        };
    }

    static String picture(StoreDriver journal, String name) {
        var id = JournalBench.id(name);
        ScopeState scope = journal.state(id).orElse(null);
        if (scope == null) {
            return name + " is not there";
        }
        var waits = new TreeSet<String>();
        for (WaitState one : journal.waits(id)) {
            waits.add(one.name() + (one.opened()
                    ? (one.kind() == OpenWait.Kind.EVENT ? " event" : " completion") + " until "
                            + seconds(one.deadline())
                    : " early") + ": " + of(one.resolution()));
        }
        var effects = new TreeMap<String, String>();
        for (EffectRow row : journal.effects(id)) {
            effects.put(row.key(), row.status() + " under " + row.fence());
        }
        var late = new TreeMap<String, String>();
        for (LateResult one : journal.lateResults(id)) {
            late.put(one.key().value(), one.result().asString());
        }
        int entries = scope.status() == ScopeState.Status.ENDED ? 0 : scope.entries();
        return name + " " + scope.input().value().asString() + " " + scope.status() + " fence "
                + scope.fence().value() + " entries " + entries + " cancel " + scope.cancelReason()
                + " wake " + seconds(scope.wakeAt()) + " stuck " + (scope.stuckBecause() != null) + " result "
                + (scope.result() == null ? null : scope.result().asString()) + " waits " + waits
                + " effects " + effects + " late " + late;
    }

    static String nextDue(StoreDriver journal) {
        return journal.nextDue().map(JournalWords::seconds).map(String::valueOf).orElse("never");
    }

    private static @Nullable Long seconds(@Nullable Instant moment) {
        return moment == null ? null : Duration.between(JournalBench.at(0), moment).toSeconds();
    }
}
