package dev.belay.cli.talk;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.OwnFiles;
import dev.belay.cli.shell.Shell;
import dev.belay.json.Json;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.session.TurnResult;
import dev.belay.tool.ToolOutcome;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a talk writes beside the database: the log of the session, and the recording that {@code --record} asks for. A file that cannot be
 * written while a turn runs is told once and written no further; the turn goes on, and the command fails in the end. Thread-safe.
 */
final class TalkFiles {

    private final Shell shell;
    private final EventLog log;
    private final @Nullable Path recording;
    private boolean isLogBroken;
    private boolean isRecordingBroken;

    /**
     * Files of a session.
     *
     * @param recording where to write what the model says as a script, or null
     * @throws CommandProblem if it cannot be opened
     */
    TalkFiles(Shell shell, EventLog log, @Nullable Path recording) {
        this.shell = shell;
        this.log = log;
        this.recording = recording;
        if (recording != null) {
            append(recording, ""); // a wrong name is told before the model is asked
        }
    }

    /** What the user says. */
    synchronized void said(String text) {
        logged(() -> log.add("user_message", out -> out.name("content").value(text)));
    }

    /** What the model answers. */
    synchronized void answered(ModelResponse response) {
        logged(() -> log.answer(response.calls().size(), out -> {
            out.name("content").value(response.text());
            RecordingModel.step(out.name("step").beginObject(), response);
            out.endObject();
        }));
        answeredBelow(response);
    }

    /** What the model answers in a session below: a script plays it again, the log of this session does not have it. */
    synchronized void answeredBelow(ModelResponse response) {
        if (recording != null && !isRecordingBroken) {
            isRecordingBroken = !tried(() -> append(recording, Json.write(out -> {
                out.beginObject();
                RecordingModel.step(out, response);
                out.endObject();
            }).text() + "\n"));
        }
    }

    /** What came of a call. */
    synchronized void called(CallReference call, ToolOutcome outcome) {
        logged(() -> log.result(out -> {
            out.name("tool_name").value(call.tool()).name("output").value(outcome.text());
            out.name("call").value(call.id().value()).name("arguments").value(call.arguments());
            out.name("turn").value(call.turn()).name("round").value(call.round());
            out.name("index").value(call.index());
            outcome.code().ifPresent(code -> out.name("code").value(code));
        }));
    }

    /** What came of the turn. */
    synchronized void ended(TurnResult.Ended result) {
        logged(() -> {
            log.add("final_answer", out -> out.name("content").value(result.text()));
            log.add("turn_ended", out -> out.name("result").value(result.toJson()));
        });
    }

    /** Whether something is missing in a file. */
    synchronized boolean areBroken() {
        return isLogBroken || isRecordingBroken;
    }

    private void logged(Runnable write) {
        if (!isLogBroken) {
            isLogBroken = !tried(write);
        }
    }

    private boolean tried(Runnable write) {
        try {
            write.run();
            return true;
        } catch (CommandProblem problem) {
            shell.err()
                    .remark("belay: " + problem.getMessage() + ". The turn goes on without it");
            return false;
        }
    }

    private static void append(Path file, String text) {
        try {
            OwnFiles.append(file, text);
        } catch (IOException e) {
            throw new CommandProblem(ExitCode.FAILED,
                    "the recording " + file + " cannot be written (" + e.getMessage()
                            + "); make room on the disk, or check its name and permissions");
        }
    }
}
