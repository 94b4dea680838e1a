package dev.belay.testkit.crash;

import dev.belay.runtime.dispatch.record.AskedAnswer;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.testkit.FakeTime;
import dev.belay.testkit.ScriptedPerson;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The person of a run, who outlives its processes. Confined to one thread. */
final class AskedPerson {

    private static final Pattern ASK = Pattern.compile("(call/[0-9]+)/ask/(.+)");

    private final ScriptedPerson person;
    private final Ledger ledger;
    private final FakeTime time;
    private final Map<String, Instant> since = new HashMap<>();

    AskedPerson(ScriptedPerson person, Ledger ledger, FakeTime time) {
        this.person = person;
        this.ledger = ledger;
        this.time = time;
    }

    /** The key of the attempt that asks a person by a wait; empty if the wait is for something else. */
    static Optional<String> attempt(WaitState wait) {
        Matcher ask = ASK.matcher(wait.name().value());
        return ask.matches() ? Optional.of(ask.group(1) + "/attempt/" + ask.group(2)) : Optional.empty();
    }

    /** Answers one open request, or lets time pass until one is answered; false if there is nothing to do. */
    boolean look(PlayedProcess process, List<ScopeId> batches) {
        List<Open> open = batches.stream().flatMap(batch -> open(process, batch)).toList();
        open.forEach(one -> since.putIfAbsent(one.name(), time.now()));
        return open.stream().anyMatch(one -> answer(process, one));
    }

    /** A request that is open. */
    private record Open(ScopeId batch, WaitState at, ApprovalRequest request) {

        String name() {
            return batch + " " + at.name();
        }
    }

    private Stream<Open> open(PlayedProcess process, ScopeId batch) {
        return process.host()
                .waits(batch)
                .stream()
                .filter(wait -> wait.resolution() == null)
                .flatMap(wait -> request(process, batch, wait).map(request -> new Open(batch, wait, request))
                        .stream());
    }

    private static Optional<ApprovalRequest> request(PlayedProcess process, ScopeId batch, WaitState wait) {
        return attempt(wait).flatMap(key -> process.host()
                .effects(batch)
                .stream()
                .filter(row -> row.key().equals(key) && row.input() != null)
                .findFirst())
                .flatMap(row -> AskedAnswer.request(Objects.requireNonNull(row.input()), row.result()));
    }

    private boolean answer(PlayedProcess process, Open open) {
        ApprovalAnswer answer = person.answerTo(open.request()).orElse(null);
        if (!(answer instanceof ApprovalAnswer.Approve || answer instanceof ApprovalAnswer.Edit)) {
            ledger.withheld(open.request().call().tool());
        }
        Instant due = Objects.requireNonNull(since.get(open.name())).plus(person.takes());
        Instant expires = open.at().deadline();
        if (answer == null || (expires != null && !due.isBefore(expires))) {
            return false; // it expires
        }
        if (time.now().isBefore(due)) {
            time.advance(Duration.between(time.now(), due));
        } else {
            process.host()
                    .resolve(open.batch(), process.incarnation(open.batch()), open.at().name(),
                            Resolution.ok(person.settlement(answer, time.now())));
        }
        return true;
    }
}
