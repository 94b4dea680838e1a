package dev.belay.cli.operate;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.verb.StoreVerb;
import dev.belay.cli.verb.Verb;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.StuckTurn;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay turns}. */
@Command(name = "turns", header = "Cancel, retry, abandon and repeat turns.", subcommands = {
    TurnVerbs.Cancel.class,
    TurnVerbs.Retry.class, TurnVerbs.Abandon.class, TurnVerbs.Again.class})
final class TurnVerbs extends Verb {

    @Override
    public Integer call() {
        throw CommandProblem.usage("say what to do: 'belay turns cancel SESSION', or 'belay turns --help'");
    }

    /** A verb about the active turn of a session. */
    abstract static class OfSession extends StoreVerb {

        @Parameters(paramLabel = "SESSION", description = "Whose turn.")
        private String session = "";

        @Override
        protected final int with(BelayClient client) {
            return about(client, existing(client, session));
        }

        abstract int about(BelayClient client, Session session);
    }

    @Command(name = "cancel", header = "Ask the active turn of a session to end.", description = {"",
        "Calls that run are told to end; what was recorded stays. The turn ends as stopped, and the session goes on"
                + " with its next input."})
    static final class Cancel extends OfSession {

        @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "cancelled by an operator", description = "Why. Default: ${DEFAULT-VALUE}.")
        private String reason = "";

        @Override
        int about(BelayClient client, Session session) {
            return tell(session.cancel(reason), "cancelling " + session.id());
        }
    }

    @Command(name = "retry", header = "Let a stuck turn go on, after its cause is gone.")
    static final class Retry extends OfSession {

        @Override
        int about(BelayClient client, Session session) {
            for (StuckTurn turn : client.stuck()) {
                if (turn.session().equals(session.id())) {
                    return tell(client.retry(turn), "retrying turn " + turn.turn() + " of " + session.id());
                }
            }
            Long active = session.head().orElseThrow().active();
            return tell(active == null
                    ? new VerbResult.NotPossible("session " + session.id()
                            + " has no active turn; 'belay turns again' repeats its last one if that was stopped")
                    : VerbResult.ALREADY, "turn " + active + " of " + session.id() + " is not stuck");
        }
    }

    @Command(name = "abandon", header = "End a turn as far as it came, so that its session goes on.", description = {
        "",
        "For turns that are stuck, ready, parked, or left by a process that died. Calls with effects that were started"
                + " and have no outcome are in doubt then: see 'belay doubts'."})
    static final class Abandon extends OfSession {

        @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why; kept with the turn and in the audit log.")
        private String reason = "";

        @Option(names = "--turn", paramLabel = "N", description = "Which. Default: the active one.")
        private @Nullable Long turn;

        @Override
        int about(BelayClient client, Session session) {
            Long which = turn != null ? turn : session.head().orElseThrow().active();
            if (which == null) {
                return tell(new VerbResult.NotPossible("session " + session.id() + " has no active turn"),
                        "");
            }
            return tell(client.abandon(session.id(), which, reason),
                    "abandoned turn " + which + " of " + session.id());
        }
    }

    @Command(name = "again", header = "Try the last turn once more, if it was stopped.")
    static final class Again extends OfSession {

        @Override
        int about(BelayClient client, Session session) {
            return switch (session.again()) {
                case Session.Again.Done(var input) -> tell(VerbResult.DONE,
                        "the last turn of " + session.id() + " is tried again, as input " + input.inputId());
                case Session.Again.Already already -> tell(VerbResult.ALREADY, "");
                case Session.Again.NotPossible(String reason) ->
                    tell(new VerbResult.NotPossible(reason), "");
            };
        }
    }
}
