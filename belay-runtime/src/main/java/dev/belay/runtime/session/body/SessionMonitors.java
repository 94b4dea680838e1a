package dev.belay.runtime.session.body;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.plugin.MonitorContext;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.runtime.process.ProcessBody;
import dev.belay.runtime.process.ProcessContext;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.engine.ProcessEngine;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.turn.Agents;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.runtime.store.law.ProcessReads;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.schema.Wording;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.Incarnation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the monitors of an agent's plugins, each as a process of its session.
 *
 * <p>Thread-safe. <b>Durability.</b> The id of the process is made of session, plugin and name, so that starting it again finds it. An event
 * is kept by the process first, then told to the session under an id of its own; a process that dies in between tells it again, and the
 * session has it once.
 *
 * @param agents of the runtime
 * @param agent whose plugins
 */
public record SessionMonitors(Agents agents, String agent) implements ProcessBody {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.plugin");
    private static final int MOST_SHOWN = 2_000;
    /** The name of a body has at most 64 characters. */
    private static final int LONGEST = 48;

    /** The name of the body that runs the monitors of an agent. */
    public static String body(String agent) {
        return "belay_monitor_" + (agent.length() <= LONGEST
                ? agent
                : new FramedHash().add(agent).hex().substring(0, LONGEST));
    }

    /** The process of a monitor. */
    static ProcessId id(Incarnation session, String monitor) {
        return new ProcessId(
                "monitor-" + session + "-" + new FramedHash().add(monitor).hex().substring(0, 32));
    }

    /** Starts the monitors of a session that were not started before. */
    static void start(TurnStart turn, SessionPlugins plugins, String agent, ProcessEngine processes,
            Store store) {
        if (!plugins.startsMonitors()) {
            return;
        }
        try {
            for (String monitor : plugins.monitors()) {
                ProcessId id = id(turn.incarnation(), monitor);
                if (store.read(ProcessReads.process(id)).isEmpty()) {
                    processes.processes(store, Actor.PROGRAM)
                            .start(ProcessStart.body(body(agent), input(turn, monitor))
                                    .id(id)
                                    .agent(agent)
                                    .grantTo(turn.session()));
                }
            }
        } catch (BelayException e) {
            plugins.monitorsNotStarted();
            LOG.warn("The monitors of session {} could not be started; the next turn tries again",
                    turn.session(), e);
        }
    }

    private static Json input(TurnStart turn, String monitor) {
        return Json.write(out -> out.beginObject()
                .name("session")
                .value(turn.session().value())
                .name("incarnation")
                .value(turn.incarnation().toString())
                .name("monitor")
                .value(monitor)
                .endObject());
    }

    @Override
    public @Nullable Json run(ProcessContext context, Json input) throws Exception {
        var session = new SessionId(RecordReader.text(input, "session"));
        Incarnation incarnation = Incarnation.parse(RecordReader.text(input, "incarnation"));
        String monitor = RecordReader.text(input, "monitor");
        TurnServices services = agents.of(agent);
        var watching = new Watching(services, context, session, incarnation, monitor);
        watching.requireSession();
        services.pluginsOf(session, incarnation).monitor(monitor).watch(watching);
        return null;
    }

    /** One entry into a monitor. Confined to its thread. */
    private static final class Watching implements MonitorContext {

        private final TurnServices services;
        private final ProcessContext process;
        private final SessionId session;
        private final Incarnation incarnation;
        private final String monitor;
        private int told;

        Watching(TurnServices services, ProcessContext process, SessionId session, Incarnation incarnation,
                String monitor) {
            this.services = services;
            this.process = process;
            this.session = session;
            this.incarnation = incarnation;
            this.monitor = monitor;
        }

        @Override
        public SessionId session() {
            return session;
        }

        @Override
        public void tell(String type, String text) {
            process.emit(type, Json.string(text));
            requireSession();
            String shown = Wording.shown("Note (monitor " + monitor + "): " + type + ": " + text, MOST_SHOWN);
            Json content = Json.write(out -> out.beginObject()
                    .name("process")
                    .value(process.id().value())
                    .name("text")
                    .value(shown)
                    .endObject());
            services.inbox()
                    .inform(session, incarnation, Arrival.notice(process.id() + "/" + ++told, content));
        }

        /** A session that was deleted is not watched for. */
        void requireSession() {
            if (services.store()
                    .read(SessionReads.head(session))
                    .filter(head -> head.incarnation().equals(incarnation))
                    .isEmpty()) {
                throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE, "unknown_session",
                        "session " + session + " was deleted, so monitor " + monitor + " ends"));
            }
        }

        @Override
        public DurableEffects durable() {
            return process.durable();
        }

        @Override
        public Cancellation cancellation() {
            return process.cancellation();
        }
    }
}
