package dev.belay.toolbox.command;

import dev.belay.json.Json;
import dev.belay.schema.Shown;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.Reconciliation;

/**
 * Asks a program of the project whether a call of a tool has happened, after ending what is still running of the call. Thread-safe.
 *
 * @param file declares the tool
 * @param dead ends what is running
 * @param runner runs the program
 */
record ProjectReconciler(ToolFile file, DeadHost dead,
        ProjectRunner runner) implements RecordedCall.Reconciler {

    /** Not a code by which programs fail by accident. */
    static final int DID_NOT_HAPPEN = 10;
    private static final int MOST_WORDS = 500;

    @Override
    public Reconciliation<ToolOutcome> reconcile(RecordedCall call) throws InterruptedException {
        String key = call.idempotencyKey().value();
        if (ProgramRun.isRunning(key)) {
            return dead.reconcile(call);
        }
        DeadHost.Remains remains = dead.end(key);
        String program = "the reconciler of " + file.definition().name();
        try {
            Json prepared = call.payload();
            ProgramRun.Ended ended = runner.run(file, ProjectRunner.Part.RECONCILE,
                    prepared == null ? Json.NULL : prepared, call.arguments(),
                    new ProjectRunner.Names(key, "reconcile-" + key), Cancellation.NEVER);
            if (ended.timedOut()) {
                return new Reconciliation.Unknown<>(
                        program + " did not end within " + file.most().toSeconds() + " s");
            }
            return switch (ended.exit()) {
                case 0 -> Reconciliation
                        .happened(new ToolOutcome.Success(ProjectRunner.result(file, ended.out())));
                case DID_NOT_HAPPEN -> remains.isWhole()
                        ? Reconciliation.didNotHappen(program + " says so" + words(ended.out()))
                        : new Reconciliation.Unknown<>(remains.words());
                default -> new Reconciliation.Unknown<>(
                        program + " ended with exit code " + ended.exit() + words(ended.err()));
            };
        } catch (ToolException e) {
            return new Reconciliation.Unknown<>(String.valueOf(e.getMessage()));
        }
    }

    private static String words(HeadTail said) {
        String text = said.text().strip();
        return text.isEmpty() ? "" : ": " + Shown.inLine(text, MOST_WORDS);
    }
}
