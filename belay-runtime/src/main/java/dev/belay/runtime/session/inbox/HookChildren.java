package dev.belay.runtime.session.inbox;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.plugin.engine.TurnHooked;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.store.SessionId;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions that hooks of one turn start. Their ids follow from turn, round, plugin and name: a process that dies between the start
 * and the record asks the hook again, which finds the same session. Confined to the turn's thread.
 *
 * @param inbox of the sessions
 * @param turn whose hooks
 * @param gated whether the turn's session or one above it has a policy
 */
public record HookChildren(Inbox inbox, TurnStart turn, BooleanSupplier gated) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.plugin");
    private static final int PLUGIN_LENGTH = 32;
    private static final int NAME_LENGTH = 16;

    /** What hooks have left; a child that cannot be started ends the turn. */
    public TurnHooked checked(int round, TurnHooked left) {
        for (TurnHooked.Child child : left.children()) {
            try {
                inbox.requireAnswers(child.agent());
                of(round, child).requireRoom(inbox);
            } catch (BelayException e) {
                String why = "plugin " + child.plugin() + " cannot start child \"" + child.name() + "\": "
                        + e.getMessage();
                LOG.warn("In turn {} of session {}, {}", turn.turn(), turn.session(), why);
                return new TurnHooked(left.left(), left.said(), List.of(),
                        new TurnHooked.Stop(child.plugin(), "turn_hook_failed", why));
            }
        }
        return left;
    }

    /** Starts the children. */
    public void start(int round, TurnHooked left) {
        for (TurnHooked.Child child : left.children()) {
            NewChild made = of(round, child);
            try {
                made.make(inbox);
                inbox.accept(made.id(), "start", new TurnInput(Message.user(child.input()), TurnSettings.NONE,
                        null, Json.EMPTY_OBJECT, inbox.now()));
            } catch (JournalException unwritten) {
                throw unwritten;
            } catch (BelayException other) { // a process that died has started it otherwise, or it was closed since
                LOG.warn("Child {} of plugin {} is left as it is", made.id(), child.plugin(), other);
            }
        }
    }

    private NewChild of(int round, TurnHooked.Child child) {
        String plugin = new FramedHash().add(turn.scope().value())
                .add(round)
                .add(child.plugin())
                .hex()
                .substring(0, PLUGIN_LENGTH);
        String name = new FramedHash().add(child.name()).hex().substring(0, NAME_LENGTH);
        return new NewChild(turn.session(), new SessionId("child-" + plugin + "-" + name), child.agent(),
                gated.getAsBoolean());
    }
}
