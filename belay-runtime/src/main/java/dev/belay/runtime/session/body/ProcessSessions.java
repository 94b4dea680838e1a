package dev.belay.runtime.session.body;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.runtime.dispatch.gate.Gating;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessEventsCapability;
import dev.belay.runtime.process.ProcessesCapability;
import dev.belay.runtime.process.engine.SessionWork;
import dev.belay.runtime.process.engine.StartedBy;
import dev.belay.runtime.session.SessionsCapability;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.inbox.AcceptedInput;
import dev.belay.runtime.session.inbox.Inbox;
import dev.belay.runtime.session.inbox.NewChild;
import dev.belay.runtime.session.inbox.SessionCommands;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.state.TurnTools;
import dev.belay.runtime.session.turn.Agents;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.law.DoubtRules;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.StateAccess;
import java.util.ArrayList;
import java.util.List;

/**
 * What sessions do for processes. Thread-safe.
 *
 * @param inbox of all sessions
 * @param agents of the runtime
 */
public record ProcessSessions(Inbox inbox, Agents agents) implements SessionWork {

    @Override
    public void make(SessionId session, String agent, StartedBy by) {
        var child = new NewChild(by.session(), session, agent, by.gated());
        if (store().read(SessionReads.head(session)).isEmpty()) {
            List<String> above = new ArrayList<>(by.above().stream().map(Gating.Above::session).toList());
            above.add(by.session().value());
            child.make(inbox, by.family(), above);
        } else {
            child.requireOwn(inbox);
        }
    }

    private Store store() {
        return agents.shared().store();
    }

    @Override
    public boolean isInDoubt(SessionId session) {
        return store().read(DoubtRules.isInDoubt(session));
    }

    @Override
    public boolean isCommitted(StartedBy by) {
        return store().read(SessionReads.head(by.session()))
                .filter(head -> head.revision() >= by.turn())
                .isPresent();
    }

    /** The turn of the call has asked its own tools; those of the session count once that turn is committed. */
    @Override
    public boolean allows(StartedBy by, String tool) {
        return !isCommitted(by) || agents.find(by.agent())
                .map(agent -> TurnTools.of(agent.toolsOf(by.session(), null),
                        new SessionCommands(inbox, by.session(), null).now()))
                .filter(tools -> !tools.allowsInProcess(tool))
                .isEmpty();
    }

    @Override
    public void submit(SessionId session, String input, String text, String settles) {
        var said = new TurnInput(Message.user(text), TurnSettings.NONE, null, Json.EMPTY_OBJECT, inbox.now(),
                settles, null);
        inbox.accept(session, input, said);
    }

    @Override
    public void cancel(SessionId session, String input, String reason) {
        ifThere(session, input, known -> known.cancel(reason, null));
    }

    private interface Use {
        void of(AcceptedInput input) throws InterruptedException;
    }

    private void ifThere(SessionId session, String input, Use use) {
        AcceptedInput known = AcceptedInput.find(inbox, session, input).orElse(null);
        if (known == null) {
            return;
        }
        try {
            use.of(known);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw JournalException.closed(); // the host closes, and the process goes on elsewhere
        } catch (BelayException gone) {
            if (gone instanceof JournalException) {
                throw gone;
            } // else the session was deleted meanwhile, or its turn is stuck
        }
    }

    @Override
    public ProcessEnd end(SessionId session, String input, Json turnResult) {
        ifThere(session, input, AcceptedInput::awaitCommit);
        return switch (TurnResult.Ended.of(turnResult)) {
            case TurnResult.Finished finished ->
                new ProcessEnd.Completed(finished.value().orElseGet(() -> Json.string(finished.text())));
            case TurnResult.Refused refused -> failed("turn_refused", refused.reason());
            case TurnResult.Stopped stopped ->
                switch (stopped.cause()) {
                    case CANCELLED -> new ProcessEnd.Cancelled(stopped.message());
                    case ABANDONED -> new ProcessEnd.Abandoned(stopped.message());
                    default -> failed("turn_stopped", stopped.message());
                };
        };
    }

    private static ProcessEnd failed(String code, String message) {
        return new ProcessEnd.Failed(ToolFailure.ofRuntime(ToolFailure.Kind.EXECUTION, code, message));
    }

    @Override
    public ToolContext around(ToolContext context, ProcessEventsCapability events) {
        return new InProcess(context, events);
    }

    /** The context of a call that runs in a process: there is no session around it. */
    private static final class InProcess extends WrappedContext {

        private final ProcessEventsCapability events;

        InProcess(ToolContext within, ProcessEventsCapability events) {
            super(within);
            this.events = events;
        }

        @Override
        public SessionsCapability sessions() {
            throw unavailable("sessions");
        }

        @Override
        public StateAccess state() {
            throw unavailable("state");
        }

        @Override
        public ProcessesCapability processes() {
            throw unavailable("processes");
        }

        @Override
        public ProcessEventsCapability processEvents() {
            within.callId();
            return events;
        }

        private ToolException unavailable(String capability) {
            within.callId();
            return new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE,
                    "capability_unavailable",
                    capability + " needs a session; this call runs in a process of its own"));
        }
    }
}
