package dev.belay.cli.verb;

import dev.belay.cli.shell.Shell;
import dev.belay.runtime.store.Actor;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command: its answer goes to standard output, everything else to standard error, and it returns an exit code. Used once. */
public abstract class Verb implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Print this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    /** For subclasses. */
    protected Verb() {}

    /** What the command is started in. */
    protected final Shell shell() {
        return ((Shell.Holder) Objects.requireNonNull(spec, "spec").root().userObject()).shell();
    }

    /**
     * Who asks, for the audit log.
     *
     * @param named by the user, or null
     */
    protected final Actor actor(@Nullable String named) {
        return new Actor(Optional.ofNullable(named)
                .or(() -> shell().variable("BELAY_ACTOR"))
                .or(() -> shell().variable("USER"))
                .or(() -> shell().variable("LOGNAME"))
                .orElse("unknown"), "command");
    }

    /** The place of this command among the others. */
    protected final CommandSpec spec() {
        return Objects.requireNonNull(spec, "spec");
    }
}
