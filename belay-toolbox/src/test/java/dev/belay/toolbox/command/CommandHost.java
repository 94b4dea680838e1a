package dev.belay.toolbox.command;

import dev.belay.toolbox.Calls;
import java.nio.file.Path;

/** A process that runs commands, to be killed: its arguments are a workspace and the commands. */
final class CommandHost {

    private CommandHost() {}

    public static void main(String[] args) throws Exception {
        Calls calls = new Calls(CommandTools.in(Path.of(args[0]), CommandRules.DEFAULT));
        for (int at = 1; at < args.length; at++) {
            String command = args[at];
            Thread.ofPlatform().start(() -> calls.text("run_command", "command", command));
        }
        while (System.in.read() >= 0) {
            // runs until it is killed, or until the test is gone
        }
        Runtime.getRuntime().halt(1);
    }
}
