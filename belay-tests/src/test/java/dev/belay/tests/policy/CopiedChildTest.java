package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.BIG;
import static dev.belay.tests.policy.ApprovalBench.asked;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.Session;
import dev.belay.tests.plugin.HeardLog;
import dev.belay.tests.session.SessionBench;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** The policies of the sessions above a child decide about its forks and imports as they do about the child. */
@ApprovalCase.Everywhere
class CopiedChildTest extends ApprovalCase {

    private static final Policy NO_REFUNDS = Policy
            .rules(PolicyRule.deny("no-refunds").tools("refund").reason("not here"));
    private static final String DENIED = "Rejected: denied by rule \"no-refunds\": not here";

    /** A model that refunds once for each input. */
    private static Model refunding() {
        return model(request -> request.messages().getLast() instanceof UserMessage
                ? calls(List.of(call("a", "{\"amount\":250}")))
                : text(SessionBench.lastReplies(request)));
    }

    /** A runtime whose session may delegate to an agent without a policy. */
    private Belay worker(ApprovalBench world, Policy above) {
        world.delegatingTo("clerk");
        return world.worker(once(SessionBench.call("d", "delegate")), builder -> builder.policy(above)
                .agent("clerk", clerk -> clerk.model(refunding())
                        .policy(Policy.NONE)
                        .tools(world.refunding())));
    }

    private static Session child(Belay belay) {
        return belay.session(belay.sessions(null, 9)
                .items()
                .stream()
                .map(SessionEntry::head)
                .filter(head -> !head.profile().above().isEmpty())
                .findFirst()
                .orElseThrow()
                .id()
                .value());
    }

    private static String exported(Session session) throws IOException {
        var lines = new StringBuilder();
        session.export(lines);
        return lines.toString();
    }

    @Test
    void aForkOfAChildIsDeniedTheSame() throws Exception {
        Belay belay = worker(bench, NO_REFUNDS);
        assertThat(bench.run(belay).text()).isEqualTo("done: " + DENIED);
        Session fork = child(belay).fork("fork");
        assertThat(fork.turn("Go.").run().ended().text()).isEqualTo(DENIED);
        assertThat(fork.fork("again").turn("Go.").run().ended().text()).isEqualTo(DENIED);
        assertThat(child(belay).fork("empty", 0).turn("Go.").run().ended().text()).isEqualTo(DENIED);
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void aForkOfAChildAsksByTheRulesAboveAndShowsTheSessions() throws Exception {
        Belay belay = worker(bench, Policy.rules(BIG));
        InputHandle input = bench.submitBeside(belay);
        asked(belay, 1);
        decide(belay, ApprovalAnswer.forSession());
        input.awaitCommit();
        child(belay).fork("fork").turn("Go.").id("in").submit();
        assertThat(asked(belay, 1).getFirst().request().call().chain()).containsExactly("s", "fork");
        assertThat(bench.refunds).hasSize(1);
    }

    @Test
    void aForkOfAChildIsDeniedWhereTheAgentAboveIsNotDefined() throws Exception {
        Belay belay = worker(bench, NO_REFUNDS);
        bench.run(belay);
        child(belay).fork("fork");
        belay.session("s").delete();
        assertThat(belay.session("fork").turn("Go.").run().ended().text())
                .contains("session s above is not in this store, so that its policy cannot be asked");
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void anImportOfAChildIsDeniedUntilTheSessionAboveIsImportedToo() throws Exception {
        Belay belay = worker(bench, NO_REFUNDS);
        bench.run(belay);
        String child = exported(child(belay));
        String parent = exported(belay.session("s"));
        try (var other = new ApprovalBench(where, Files.createDirectory(folder.resolve("other")))) {
            Belay there = worker(other, Policy.rules(BIG));
            try (var log = HeardLog.of("dev.belay.session", Level.WARN)) {
                there.importSession(new StringReader(child), "copy");
                assertThat(log.from("Session copy")).containsExactly(
                        "Session copy was imported without the sessions above it, whose policies decide"
                                + " about its calls: they are denied until this store has s");
            }
            assertThat(there.session("copy").missingAbove()).containsExactly("s");
            assertThat(there.session("copy").turn("Go.").run().ended().text())
                    .contains("session s above is not in this store, so that its policy cannot be asked");
            there.session("copy").fork("fork");
            there.importSession(new StringReader(parent), "s");
            assertThat(there.session("copy").missingAbove()).isEmpty();
            there.session("fork").turn("Go.").id("in").submit();
            asked(there, 1);
            assertThat(other.refunds).isEmpty();
        }
    }

    @Test
    void noCopyTakesTheNameOfASessionAboveIt() throws Exception {
        Belay belay = worker(bench, NO_REFUNDS);
        bench.run(belay);
        Session child = child(belay);
        String lines = exported(child);
        belay.session("s").delete();
        assertThatThrownBy(() -> child.fork("s")).isInstanceOfSatisfying(BelayException.class,
                refused -> assertThat(refused.code()).isEqualTo("session_exists"))
                .hasMessageContaining("s is the name of a session above this one");
        assertThatThrownBy(() -> belay.importSession(new StringReader(lines), "s"))
                .hasMessageContaining("s is the name of a session above this one");
    }
}
