package dev.belay.examples.operator;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Usage;
import java.nio.file.Files;
import java.nio.file.Path;

/** Stands in for a model: does what the user says, and is down while a file says so. */
final class Clerk implements Model {

    private final Path outage;

    Clerk(Path outage) {
        this.outage = outage;
    }

    @Override
    public String id() {
        return "clerk";
    }

    @Override
    public ModelResponse complete(ModelRequest request, ModelListener listener) {
        String said = "";
        for (Message message : request.messages()) {
            if (message instanceof Message.UserMessage user) {
                said = user.text();
            }
        }
        if (said.startsWith("Hello") && Files.exists(outage)) {
            throw new ModelException(ModelException.Kind.UNAVAILABLE, "the provider is down");
        }
        return switch (request.messages().getLast()) {
            case Message.ToolMessage tool -> says("Result: " + tool.replies().getFirst().text());
            default -> said.startsWith("Pay")
                    ? calls("pay", "{\"to\":\"ann\",\"cents\":8950}")
                    : said.startsWith("Ask")
                            ? calls("ask_manager", "{\"question\":\"May I?\"}")
                            : says("I heard: " + said);
        };
    }

    private static ModelResponse says(String text) {
        return new ModelResponse(Message.assistant(text), FinishReason.STOP, Usage.NONE, "clerk", "");
    }

    private static ModelResponse calls(String tool, String arguments) {
        return new ModelResponse(Message.assistant(new CallPart("c1", tool, arguments)),
                FinishReason.TOOL_CALLS, Usage.NONE, "clerk", "");
    }
}
