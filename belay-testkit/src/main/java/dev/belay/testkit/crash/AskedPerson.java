package dev.belay.testkit.crash;

import dev.belay.runtime.dispatch.ToolBatch;
import dev.belay.runtime.dispatch.record.AskedAnswer;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.testkit.FakeTime;
import dev.belay.testkit.Person;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The person of a run, who outlives its processes. Confined to one thread. */
final class AskedPerson {

    private static final Pattern ASK = Pattern.compile("(call/[0-9]+)/ask/(.+)");

    private final Person person;
    private final Ledger ledger;
    private final FakeTime time;
    private final Map<String, Instant> since = new HashMap<>();

    AskedPerson(Person person, Ledger ledger, FakeTime time) {
        this.person = person;
        this.ledger = ledger;
        this.time = time;
    }

    /** The key of the attempt that asks a person by a wait; empty if the wait is for something else. */
    static Optional<String> attempt(WaitState wait) {
        Matcher ask = ASK.matcher(wait.name().value());
        return ask.matches() ? Optional.of(ask.group(1) + "/attempt/" + ask.group(2)) : Optional.empty();
    }

    /** Answers one open request of a batch, or lets time pass until it is answered; false if there is nothing to do. */
    boolean look(JournalHost host, ScopeState batch) {
        return host.waits(batch.id())
                .stream()
                .filter(wait -> wait.resolution() == null)
                .anyMatch(wait -> request(host, batch.id(), wait)
                        .filter(request -> answer(host, batch, wait, request))
                        .isPresent());
    }

    private static Optional<ApprovalRequest> request(JournalHost host, ScopeId batch, WaitState wait) {
        return attempt(wait).flatMap(key -> host.effects(batch)
                .stream()
                .filter(row -> row.key().equals(key) && row.input() != null)
                .findFirst())
                .flatMap(row -> AskedAnswer.request(Objects.requireNonNull(row.input()), row.result()));
    }

    private boolean answer(JournalHost host, ScopeState batch, WaitState wait, ApprovalRequest request) {
        ApprovalAnswer answer = person.answerTo(request).orElse(null);
        if (!(answer instanceof ApprovalAnswer.Approve || answer instanceof ApprovalAnswer.Edit)) {
            ledger.withheld(request.call().tool());
        }
        if (answer == null) {
            return false;
        }
        Instant due = since.computeIfAbsent(batch.id() + " " + wait.name(), first -> time.now())
                .plus(person.takes());
        if (time.now().isBefore(due)) {
            Instant expires = wait.deadline();
            time.advance(Duration.between(time.now(), expires == null || due.isBefore(expires) ? due : expires));
        } else {
            System.err.println("RES " + host.resolve(batch.id(), ToolBatch.of(batch.input().value()).incarnation(), wait.name(),
                    Resolution.ok(person.settlement(answer, time.now()))));
        }
        return true;
    }
}
