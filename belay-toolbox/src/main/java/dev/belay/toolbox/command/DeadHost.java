package dev.belay.toolbox.command;

import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.context.Reconciliation;

/**
 * Words the doubt about a program whose host process died, after ending what is still running of it on this machine. A
 * {@link Supervisor} usually has done that before; here it is done again so that no model reads {@code in_doubt} while the
 * program still works. Thread-safe.
 *
 * @param program the program, at the beginning of a sentence
 */
record DeadHost(String program) implements RecordedCall.Reconciler {

    /** Which processes of a program are ended after its host has died. */
    enum Reach {
        FOUND("it was ended with all of its processes that could be found"),
        GROUP("its process group was ended; a process that had left the group may still run"),
        NOTHING("it and the processes that it had started may still run");

        private final String words;

        Reach(String words) {
            this.words = words;
        }

        /** What this machine makes possible: marks are found in {@code /proc}, and a group needs a session of its own. */
        static Reach here() {
            if (!Supervisor.isPossible()) {
                return NOTHING;
            }
            return ProcFiles.exist() ? FOUND : OwnSession.starter().isPresent() ? GROUP : NOTHING;
        }
    }

    @Override
    public Reconciliation<ToolOutcome> reconcile(RecordedCall call) throws InterruptedException {
        String key = call.idempotencyKey().value();
        if (ProgramRun.isRunning(key)) {
            return Reconciliation.unknown(); // past its deadline, not dead: the thread of the call is about to end it
        }
        return new Reconciliation.Unknown<>(end(key).words());
    }

    /**
     * What was ended of a call.
     *
     * @param isWhole whether nothing of it can still run
     * @param words say so
     */
    record Remains(boolean isWhole, String words) {}

    /** Ends what is still running of a call. */
    Remains end(String key) throws InterruptedException {
        int left = ProcessTree.endMarked(ProgramRun.marks(key));
        Reach reach = Reach.here();
        return new Remains(reach == Reach.FOUND && left == 0, words(reach, left));
    }

    String words(Reach reach, int left) {
        return program + " was running when the process of its host died; "
                + (left > 0 ? left + " of its processes could not be ended and still run" : reach.words);
    }
}
