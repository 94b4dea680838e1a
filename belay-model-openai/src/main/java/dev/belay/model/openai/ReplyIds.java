package dev.belay.model.openai;

import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import java.util.ArrayList;
import java.util.List;

/**
 * Under which id each reply goes out: when a provider's own form of the calls is sent back, under the id at the same position in
 * it, else under the reply's own. Confined to one request.
 */
final class ReplyIds {

    private List<CallPart> calls = List.of();
    private List<String> provided = List.of();

    /** Notes an assistant message and the ids of its calls as they are sent. */
    void after(AssistantMessage message, List<String> sent) {
        calls = new ArrayList<>(message.calls());
        provided = List.copyOf(sent);
    }

    /** The id of a reply to the message noted last. */
    String of(ReplyPart reply) {
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).id().equals(reply.callId())) {
                String id = i < provided.size() ? provided.get(i) : "";
                return id.isEmpty() ? reply.callId() : id;
            }
        }
        return reply.callId();
    }
}
