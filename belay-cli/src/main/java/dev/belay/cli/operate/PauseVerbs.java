package dev.belay.cli.operate;

import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.ShortHandles;
import dev.belay.cli.shell.TextTable;
import dev.belay.cli.shell.Times;
import dev.belay.cli.verb.StoreVerb;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.schema.Shown;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Commands about pauses, and the audit log. */
final class PauseVerbs {

    private static final int DETAILS = 160;

    private PauseVerbs() {}

    /** What is paused; one of them. */
    static final class What {

        @Option(names = "--everything", description = "All turns, processes and calls.")
        @SuppressWarnings("UnusedVariable") // one of the group is set, so that this is the one if the others are not
        private boolean everything;

        @Option(names = "--agent", paramLabel = "NAME", description = "The turns of an agent.")
        private @Nullable String agent;

        @Option(names = "--tool", paramLabel = "NAME", description = "The calls of a tool.")
        private @Nullable String tool;

        @Option(names = "--session", paramLabel = "ID", description = "The turns of a session.")
        private @Nullable String session;

        Pause.Target target() {
            if (agent != null) {
                return Pause.Target.agent(agent);
            }
            if (tool != null) {
                return Pause.Target.tool(tool);
            }
            return session == null ? Pause.Target.EVERYTHING : Pause.Target.session(session);
        }
    }

    @Command(name = "pause", header = "Let nothing of a target begin, in all programs on the database.", description = {
        "",
        "Inputs are accepted and wait; what runs goes on. 'belay pauses' lists what is paused."})
    static final class Begin extends StoreVerb {

        @ArgGroup(multiplicity = "1", heading = "What:%n")
        private What what = new What();

        @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why.")
        private String reason = "";

        @Override
        protected int with(BelayClient client) {
            return tell(client.pause(what.target(), reason), "paused " + what.target());
        }
    }

    @Command(name = "unpause", header = "End a pause; what waited goes on.")
    static final class End extends StoreVerb {

        @ArgGroup(multiplicity = "1", heading = "What:%n")
        private What what = new What();

        @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "Why.")
        private String reason = "";

        @Override
        protected int with(BelayClient client) {
            return tell(client.unpause(what.target(), reason), "unpaused " + what.target());
        }
    }

    @Command(name = "pauses", header = "List the pauses that are in force.")
    static final class ListPauses extends StoreVerb {

        @Override
        protected int with(BelayClient client) {
            var table = new TextTable("TARGET", "SINCE", "BY", "REASON");
            Instant now = Instant.now();
            for (Pause pause : client.pauses()) {
                if (isJson()) {
                    print(out -> out.name("target")
                            .value(pause.target().key())
                            .name("by")
                            .value(pause.by().name())
                            .name("reason")
                            .value(pause.reason())
                            .name("since")
                            .value(pause.since().toString()));
                } else {
                    table.row(pause.target(), Times.age(pause.since(), now), pause.by().name(),
                            pause.reason());
                }
            }
            if (!isJson()) {
                table.print(shell(), "nothing is paused");
            }
            return ExitCode.DONE;
        }
    }

    @Command(name = "audit", header = "Print the audit log: who did what to what, by which door, and why.")
    static final class Audit extends StoreVerb {

        @Option(names = "--after", paramLabel = "N", defaultValue = "0", description = "Behind this number. Default: the beginning.")
        private long after;

        @Option(names = "--limit", paramLabel = "N", defaultValue = "100", description = "At most so many. Default: ${DEFAULT-VALUE}.")
        private int limit;

        @Override
        protected int with(BelayClient client) {
            var table = new TextTable("NUMBER", "AT", "ACTOR", "DOOR", "USER", "VERB", "TARGET", "DETAILS");
            for (AuditEntry entry : client.audit(after, Math.max(1, limit))) {
                AuditEntry.Note note = entry.note();
                if (isJson()) {
                    print(out -> out.name("number")
                            .value(entry.place())
                            .name("at")
                            .value(entry.at().toString())
                            .name("actor")
                            .value(note.by().name())
                            .name("door")
                            .value(note.by().door())
                            .name("user")
                            .value(note.user())
                            .name("verb")
                            .value(note.verb())
                            .name("target")
                            .value(note.target())
                            .name("details")
                            .value(note.details())
                            .name("digest")
                            .value(entry.digest()));
                } else {
                    table.row(entry.place(), Times.at(entry.at()), note.by().name(), note.by().door(),
                            note.user(),
                            note.verb(),
                            note.target(), Shown.inLine(ShortHandles.in(note.details().compact()), DETAILS));
                }
            }
            if (!isJson()) {
                table.print(shell(), "the audit log is empty");
            }
            return ExitCode.DONE;
        }
    }
}
