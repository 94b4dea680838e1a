package dev.belay.runtime.history;

import dev.belay.model.Message;
import java.util.List;

/**
 * What a model was sent in one round. Rebuilt from records, and checked against the hash of what was sent.
 *
 * @param turn which
 * @param round of the turn
 * @param model the name of the model that was asked
 * @param variant the name of the way in which it was asked
 * @param messages exactly as they were sent, the system message included
 * @param hash of the messages
 * @param generation of the tools that were offered; 0 in a loop of your own
 * @param offered hash of the names and fingerprints of these tools
 * @param failed texts and views of plugins that were left out, with the reason
 */
public record SentRequest(long turn, int round, String model, String variant, List<Message> messages,
        String hash, long generation, String offered, List<String> failed) {

    /** Copies the lists. */
    public SentRequest {
        messages = List.copyOf(messages);
        failed = List.copyOf(failed);
    }
}
