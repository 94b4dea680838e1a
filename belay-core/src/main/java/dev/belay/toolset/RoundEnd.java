package dev.belay.toolset;

import dev.belay.Wait;
import dev.belay.model.Part.ReplyPart;
import dev.belay.tool.context.CallId;
import java.util.List;

/** How a round ended. */
public sealed interface RoundEnd {

    /**
     * The assistant's message and every reply are in the transcript.
     *
     * @param replies in the assistant's order
     */
    record Committed(List<ReplyPart> replies) implements RoundEnd {

        /** Copies the list. */
        public Committed {
            replies = List.copyOf(replies);
        }
    }

    /**
     * Some calls wait to be completed from outside; only a session parks.
     *
     * @param waiting the calls that wait
     * @param waits what they wait for, and what answers that; empty if something of the turn goes on
     */
    record Parked(List<CallId> waiting, List<Wait> waits) implements RoundEnd {

        /** Copies the lists. */
        public Parked {
            waiting = List.copyOf(waiting);
            waits = List.copyOf(waits);
        }
    }
}
