package dev.belay.examples.approval;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Usage;

/** Stands in for a model: refunds as much as it is asked for, and says what came of it. */
final class Clerk implements Model {

    @Override
    public String id() {
        return "clerk";
    }

    @Override
    public ModelResponse complete(ModelRequest request, ModelListener listener) {
        for (Message message : request.messages()) {
            if (message instanceof Message.ToolMessage tool) {
                return new ModelResponse(
                        Message.assistant("Done: " + tool.replies().getFirst().text()), FinishReason.STOP,
                        Usage.NONE, "clerk", "");
            }
        }
        return new ModelResponse(
                Message.assistant(new CallPart("c1", "refund", "{\"order\":42,\"cents\":25000}")),
                FinishReason.TOOL_CALLS, Usage.NONE, "clerk", "");
    }
}
