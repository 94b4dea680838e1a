package dev.belay.toolbox.command;

import dev.belay.schema.Shown;
import dev.belay.schema.Wording;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolFailure.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Makes refusals whose message tells a model what to do instead. Stateless. */
final class CommandRefusal {

    private CommandRefusal() {}

    static ToolException badCommand(String why) {
        return no(Kind.INVALID_REQUEST, "bad_command", "this is not a usable command: " + why);
    }

    static ToolException noShell(char c) {
        return no(Kind.INVALID_REQUEST, "bad_command", "there is no shell here, so " + Shown.inLine("" + c, 1)
                + " has no meaning; send one program with its arguments, in quotes where a character is meant as it is");
    }

    static ToolException notAllowed(String program, List<String> allowed) {
        return no(Kind.PERMISSION_DENIED, "command_not_allowed", "\"" + Shown.inLine(program, 80)
                + "\" is not allowed here; allowed are " + String.join(", ", allowed));
    }

    static ToolException notStarted(String program, IOException e) {
        return new ToolException(ToolFailure.of(Kind.IO, "command_not_started",
                "\"" + Shown.inLine(program, 80) + "\" could not be started: " + Wording.of(e)), e);
    }

    static ToolException outputLost(String program, IOException e) {
        return new ToolException(ToolFailure.of(Kind.IO, "command_output_lost",
                "\"" + Shown.inLine(program, 80)
                        + "\" was started, but its output could not be read to the end ("
                        + Wording.of(e) + "), and it was ended with everything it had started")
                .thatMayHaveHappened(), e);
    }

    static ToolException timedOut(Duration most, String output) {
        return no(Kind.TIMEOUT, "command_timed_out", "the command was ended after " + most.toSeconds()
                + " s with everything it had started; what it wrote until then:\n" + output);
    }

    static ToolException projectToolFailed(String name, int exit, String output) {
        return no(Kind.EXECUTION, "project_tool_failed",
                name + " ended with exit code " + exit + (output.isBlank() ? "" : ":\n" + output));
    }

    static ToolException projectToolChanged(String name, String why) {
        return no(Kind.UNAVAILABLE, "project_tool_unusable", name + " cannot be run any more: " + why);
    }

    static ToolException mismatch(String what) {
        return no(Kind.UNAVAILABLE, "prepared_tool_mismatch", "since this call was prepared, " + what
                + ", so nothing was started; look at it again and decide anew");
    }

    static ToolException badAnswer(String name, String why) {
        return no(Kind.EXTERNAL, "project_tool_answer", "the answer of " + name + " cannot be used: " + why);
    }

    private static ToolException no(Kind kind, String code, String message) {
        return new ToolException(ToolFailure.of(kind, code, message));
    }
}
