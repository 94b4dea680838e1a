package dev.belay.runtime.session;

import dev.belay.runtime.catalog.ToolState;

/** The whole state of a session's parts, for backups and administration. Thread-safe. */
public final class SessionAdmin {

    private final SessionTools tools;

    SessionAdmin(SessionTools tools) {
        this.tools = tools;
    }

    /** The state of the session's tools. */
    public ToolStates tools() {
        return new ToolStates();
    }

    /** Reads and replaces the state of a session's tools. Thread-safe. */
    public final class ToolStates {

        private ToolStates() {}

        /** Every tool and what was decided about it, with the generation. */
        public ToolState state() {
            return tools.state();
        }

        /**
         * Makes a state the truth, from the next question to the model on.
         *
         * @throws dev.belay.BelayException {@code generation_mismatch} if the session's tools are of another generation
         */
        public void applyState(ToolState next) {
            tools.applyState(next);
        }

        /** Lays a state from elsewhere over what is live, from the next question to the model on. */
        public void restoreState(ToolState saved) {
            tools.restoreState(saved);
        }
    }
}
