package dev.belay.runtime.plugin.engine;

import dev.belay.runtime.dispatch.CallReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds states by which hooks decide before a call although calls beside it change them unseen: a limit kept in such a state can be
 * exceeded. Looks at one message of the model at a time. Thread-safe.
 */
final class StaleReads {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.plugin");
    private static final int MOST_TOLD = 1_000;
    private static final int NO_CALL = -1;
    private static final int SEVERAL = -2;

    private final Set<String> told;
    private final Map<String, Uses> uses = new HashMap<>(0);
    private String message = "";

    /** The calls that use one state: the place of the only one, or that there are several. */
    private static final class Uses {

        int reader = NO_CALL;
        int changer = NO_CALL;
        String plugin = "";
        String tool = "";
    }

    /**
     * For one session.
     *
     * @param told what was said before; shared by all sessions of an agent
     */
    StaleReads(Set<String> told) {
        this.told = told;
    }

    /** A hook before a call has read a state. */
    synchronized void read(String state, CallReference call, boolean hosted) {
        Uses all = of(state, call);
        if (isOther(all.changer, call)) {
            tell(state, all, hosted);
        }
        all.reader = with(all.reader, call);
    }

    /** A hook around a call has changed a state. */
    synchronized void changed(String state, String plugin, CallReference call, boolean hosted) {
        Uses all = of(state, call);
        all.plugin = plugin;
        all.tool = call.tool();
        if (isOther(all.reader, call)) {
            tell(state, all, hosted);
        }
        all.changer = with(all.changer, call);
    }

    private Uses of(String state, CallReference call) {
        String now = call.turn() + "/" + call.round();
        if (!now.equals(message)) {
            message = now;
            uses.clear();
        }
        return uses.computeIfAbsent(state, unused -> new Uses());
    }

    private static boolean isOther(int known, CallReference call) {
        return known != NO_CALL && known != call.index();
    }

    private static int with(int known, CallReference call) {
        return isOther(known, call) ? SEVERAL : call.index();
    }

    private void tell(String state, Uses by, boolean hosted) {
        if (told.size() < MOST_TOLD && told.add(by.plugin + " " + state + " " + by.tool)) {
            LOG.warn(
                    "Plugin {} changes state {} around calls of tool {}, and a hook reads it before other calls of the same"
                            + " message, which do not see the change: a limit kept in this state can be exceeded. {}",
                    by.plugin, state, by.tool,
                    hosted
                            ? "In a loop of your own all calls of a round are decided about when it is delivered: check the limit"
                                    + " again where the tool does its work"
                            : "Declare the tool with scheduling = SERIAL; a resource key does not help, because hooks run"
                                    + " before it is taken");
        }
    }
}
