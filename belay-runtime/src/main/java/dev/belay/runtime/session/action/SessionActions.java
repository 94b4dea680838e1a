package dev.belay.runtime.session.action;

import dev.belay.json.Json;
import dev.belay.runtime.plugin.engine.ActionCall;
import dev.belay.runtime.plugin.engine.ActionRun;
import dev.belay.runtime.plugin.engine.HookPlace;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.runtime.plugin.engine.StateValues;
import dev.belay.runtime.session.inbox.AcceptedAction;
import dev.belay.runtime.session.inbox.Inbox;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.turn.Agents;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.tool.context.ValueCodec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The actions of a session's plugins. A query reads what was committed, at once. A command is an input: it is kept first, carried out at
 * the next question of a turn, or without a question if no turn runs, and its result is recorded. Where the plugins of the session are not
 * known, as in a client, every action is given as a command, to be answered by a runtime that has them. Thread-safe.
 */
public final class SessionActions {

    private final Agents agents;
    private final SessionId session;
    private final @Nullable String demanded;

    /**
     * Made by the session.
     *
     * @param demanded the agent that it must have; null for any
     */
    public SessionActions(Agents agents, SessionId session, @Nullable String demanded) {
        this.agents = agents;
        this.session = session;
        this.demanded = demanded;
    }

    private Inbox inbox() {
        return agents.shared().inbox();
    }

    /** The ids of the actions of the plugins here; none in a client. */
    public List<String> ids() {
        return here().map(found -> found.run.ids()).orElse(List.of());
    }

    /**
     * Asks for an action and waits for its answer. An id is drawn for a command.
     *
     * @param id of the action
     * @param input a record, a text or {@link Json}; {@code Nothing.NOTHING} for none
     * @throws dev.belay.BelayException {@code unknown_action} with the nearest names, {@code invalid_action_input} with what is wrong,
     *         {@code action_failed} if it throws or takes more than 5 seconds, {@code turn_resting} if it waits behind a turn that rests:
     *         it is kept then
     */
    public Json call(String id, Object input) throws InterruptedException {
        var call = new ActionCall(id, json(input));
        Here here = here().orElse(null);
        return here == null || here.run.changes(call)
                ? accepted(call, inbox().newId()).await()
                : here.run.query(call, here.values());
    }

    /** The same with the answer as a value. */
    public <O> O call(String id, Object input, Class<O> output) throws InterruptedException {
        return ValueCodec.of(output).decode(call(id, input));
    }

    /** Gives a command and returns; an id is drawn. */
    public ActionHandle submit(String id, Object input) {
        return submit(id, input, inbox().newId());
    }

    /**
     * Gives a command and returns. The same input id with the same content is the same command, with the same result.
     *
     * @throws dev.belay.BelayException as {@link #call}, if the plugins are here; {@code input_conflict} if the input id is known with
     *         another content, {@code session_closed} if the session takes no inputs
     */
    public ActionHandle submit(String id, Object input, String inputId) {
        var call = new ActionCall(id, json(input));
        here().ifPresent(here -> here.run.changes(call));
        return accepted(call, Objects.requireNonNull(inputId, "inputId"));
    }

    private ActionHandle accepted(ActionCall call, String inputId) {
        if (demanded != null) {
            inbox().require(session, demanded);
        }
        inbox().accept(session, inputId, TurnInput.action(call, inbox().now()));
        return new ActionHandle(new AcceptedAction(inbox(), session, inputId));
    }

    /** A command that was given before, by the id of its input; empty if there is none. */
    public Optional<ActionHandle> input(String inputId) {
        return AcceptedAction.find(inbox(), session, inputId).map(ActionHandle::new);
    }

    private static Json json(Object input) {
        return switch (Objects.requireNonNull(input, "input")) {
            case Json given -> given;
            case String text -> Json.string(text);
            default -> Json.from(input);
        };
    }

    /** The plugins of the session, in a runtime that defines its agent. */
    private record Here(ActionRun run, SessionPlugins plugins, Supplier<StateValues> restore) {

        StateValues values() {
            StateValues restored = restore.get();
            plugins.ready();
            return restored;
        }
    }

    private Optional<Here> here() {
        SessionHead head = agents.shared().store().read(SessionReads.head(session)).orElse(null);
        String agent = head != null
                ? head.profile().agent()
                : demanded == null ? SessionProfile.DEFAULT_AGENT : demanded;
        return agents.names().contains(agent) ? Optional.of(here(agents.of(agent), head)) : Optional.empty();
    }

    private Here here(TurnServices agent, @Nullable SessionHead head) {
        SessionPlugins plugins = agent.pluginsOf(session, head == null ? null : head.incarnation());
        plugins.tools(agent.tools().of(session));
        var place = new HookPlace(session, agent.agent(), head == null ? 0 : head.revision(),
                Json.EMPTY_OBJECT);
        return new Here(new ActionRun(plugins, place, agent.time()), plugins,
                () -> agent.restored(plugins, head));
    }
}
