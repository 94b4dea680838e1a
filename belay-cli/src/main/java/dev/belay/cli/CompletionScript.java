package dev.belay.cli;

import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.verb.Verb;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code belay completion}. */
@Command(name = "completion", header = "Print a script that completes commands and options.", description = {
    "",
    "For bash:  source <(belay completion)",
    "For zsh:   autoload -U +X bashcompinit && bashcompinit && source <(belay completion)"})
final class CompletionScript extends Verb {

    @Override
    public Integer call() {
        shell().out().print(AutoComplete.bash("belay", Main.commands(shell())));
        return ExitCode.DONE;
    }
}
