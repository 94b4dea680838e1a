package dev.belay.cli.talk;

import dev.belay.BelayException;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ControlEcho;
import dev.belay.cli.shell.ExitCode;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnInfo;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.SessionHead;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay resume}. */
@Command(name = "resume", header = "Go on with turns that a crash, a question or a wait has left.", description = {
    "",
    "Calls are decided by the --approve of this command, not by that of the command that began the turn.",
    "",
    "If the last turn of SESSION has ended meanwhile, its answer is printed."})
final class ResumeVerb extends TalkVerb {

    @Parameters(arity = "0..1", paramLabel = "SESSION", description = "Which.")
    private @Nullable String session;

    @Option(names = "--all", description = "All sessions with an active turn, one after another.")
    private boolean all;

    @Option(names = "--json", description = "Print events as JSON, one per line, instead of the answer.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        if (all ? session != null : session == null && !shell().canAsk()) {
            throw CommandProblem.usage("name a session, or say --all");
        }
        database().mustExist();
        return all ? all() : one(session == null ? pick(shell().person(() -> false)) : session);
    }

    private int one(String id) throws IOException, InterruptedException {
        SessionHead head;
        try (BelayClient client = Belay.client(database().existing())) {
            head = client.session(id)
                    .head()
                    .orElseThrow(() -> CommandProblem.notFound(
                            "there is no session \"" + id + "\"; 'belay sessions ls' lists them"));
            if (head.active() == null) {
                shell().err().line("session " + id + " has no active turn");
                return client.session(id)
                        .turn(head.revision())
                        .flatMap(TurnInfo::result)
                        .map(this::told)
                        .orElse(ExitCode.DONE);
            }
        }
        return goOn(head);
    }

    /** Prints what came of a turn that has ended, as the command would have that saw it end. */
    private int told(TurnResult.Ended result) {
        if (json) {
            shell().out().line(new TurnEvent.Committed(result.turn(), result).toJson().text());
        } else {
            TurnEnds.tell(shell(), result, false);
        }
        return TurnEnds.exitCode(result);
    }

    private int all() throws IOException, InterruptedException {
        int worst = ExitCode.DONE;
        for (SessionHead head : left()) {
            int ended = oneOfAll(head);
            if (ended == ExitCode.INTERRUPTED) {
                return ended; // the others stay as they are
            }
            worst = Math.max(worst, ended);
        }
        return worst;
    }

    private int goOn(SessionHead head) throws IOException, InterruptedException {
        var interrupts = new Interrupts();
        try (LiveTalk talk = open(shell().person(interrupts), head.id().value(), head.profile().agent(),
                json)) {
            interrupts.during(talk);
            long turn = Objects.requireNonNull(head.active(), "active");
            return ControlEcho.without(shell(), () -> talk.goOn(turn));
        }
    }

    /** A session that cannot go on does not keep the others from it. */
    private int oneOfAll(SessionHead head) throws IOException, InterruptedException {
        shell().err().line("Session " + head.id() + ":");
        try {
            return goOn(head);
        } catch (CommandProblem problem) {
            shell().err().remark("belay: " + problem.getMessage());
            return problem.exitCode();
        } catch (BelayException problem) {
            shell().err().remark("belay: " + problem.getMessage() + " (" + problem.code() + ")");
            return ExitCode.FAILED;
        }
    }

    /** The sessions whose turns go on; one below another goes on with that. */
    private List<SessionHead> left() {
        try (BelayClient client = Belay.client(database().existing())) {
            Map<String, SessionHead> active = new LinkedHashMap<>();
            heads(client).filter(head -> head.active() != null)
                    .forEach(head -> active.put(head.id().value(), head));
            if (active.isEmpty()) {
                shell().err().line("no session has an active turn");
            }
            return active.values()
                    .stream()
                    .filter(head -> head.profile().above().stream().noneMatch(active::containsKey))
                    .toList();
        }
    }
}
