package dev.belay.runtime.history;

import dev.belay.runtime.plugin.HistoryHook;
import java.util.List;

/**
 * One step in which a conversation was made shorter for the model. The conversation itself stays as it is.
 *
 * @param turn before a round of which turn
 * @param round before which round
 * @param reason why
 * @param plugin whose answer counted
 * @param tokensBefore what the conversation was estimated at before
 * @param tokensAfter and after
 * @param kept how many messages are sent as they were
 * @param shortened how many tool messages are sent with shorter replies
 * @param dropped how many messages are not sent any more
 * @param added how many messages stand for those, such as summaries
 * @param models the names of the models that were asked for summaries, one for each question
 * @param failed hooks that were left out, with the reason
 */
public record Compaction(long turn, int round, HistoryHook.Reason reason, String plugin, long tokensBefore,
        long tokensAfter, int kept, int shortened, int dropped, int added, List<String> models,
        List<String> failed) {

    /** Copies the lists. */
    public Compaction {
        models = List.copyOf(models);
        failed = List.copyOf(failed);
    }
}
