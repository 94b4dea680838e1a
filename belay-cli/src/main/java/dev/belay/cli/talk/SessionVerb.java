package dev.belay.cli.talk;

import dev.belay.cli.settings.Settings;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.Person;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that gives inputs to one session. Used once. */
abstract class SessionVerb extends TalkVerb {

    @Option(names = {"-c", "--continue"}, description = "In the session that was used last.")
    private boolean goesOn;

    @Option(names = {"-s",
        "--session"}, paramLabel = "ID", description = "In this session; it is made if there is none.")
    private @Nullable String session;

    @Option(names = "--agent", paramLabel = "NAME", description = "By this agent of belay.toml.")
    private @Nullable String agent;

    /** For subclasses. */
    SessionVerb() {}

    /** The session that was named, the last one, or a new one. */
    final String session() {
        requireOne();
        return goesOn ? lastSession() : session != null ? session : newSession();
    }

    /** The same; if there are several to go on with, a person chooses. */
    final String session(Person person) throws InterruptedException {
        requireOne();
        return goesOn ? pick(person) : session();
    }

    private void requireOne() {
        if (goesOn && session != null) {
            throw CommandProblem.usage("--continue and --session exclude each other");
        }
    }

    /** Opens a session that has no active turn. */
    final LiveTalk open(Person person, String id, boolean json) throws IOException, InterruptedException {
        Optional<String> recorded = requireIdle(id);
        return open(person, id, agent != null ? agent : recorded.orElse(Settings.DEFAULT), json);
    }
}
