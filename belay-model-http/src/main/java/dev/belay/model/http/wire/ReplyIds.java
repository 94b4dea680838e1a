package dev.belay.model.http.wire;

import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import java.util.List;

/**
 * Finds the id under which a reply is sent. A call may have been sent under another id than its {@link CallPart} has, for example
 * when the provider's own form of the message is sent back; the reply must carry the id that was sent. Confined to one request.
 */
public final class ReplyIds {

    private List<CallPart> calls = List.of();
    private List<String> sentIds = List.of();

    /**
     * Notes an assistant message.
     *
     * @param sent the ids of its calls as they were sent, in order; where one is missing or empty, the call's own id was sent
     */
    public void after(AssistantMessage message, List<String> sent) {
        calls = message.calls();
        sentIds = List.copyOf(sent);
    }

    /** The id of a reply to the message noted last. */
    public String of(ReplyPart reply) {
        for (int i = 0; i < Math.min(calls.size(), sentIds.size()); i++) {
            if (calls.get(i).id().equals(reply.callId())) {
                return sentIds.get(i).isEmpty() ? reply.callId() : sentIds.get(i);
            }
        }
        return reply.callId();
    }
}
