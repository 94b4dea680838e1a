package dev.belay.benchmarks.durable;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.DefaultToolCallingManager;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.support.ToolCallbacks;

/** The same batch in the peers, each with its own machinery and a scripted model. */
final class PeerBatches {

    /** One batch, from the message to the results. */
    interface Batch {
        void run() throws Exception;
    }

    /** The tool as the peers read it. */
    public static final class Napping {

        /** Blocks. */
        @dev.langchain4j.agent.tool.Tool("Rests for a moment.")
        @org.springframework.ai.tool.annotation.Tool(description = "Rests for a moment.")
        public String nap(int n) throws InterruptedException {
            Thread.sleep(BenchTools.NAP);
            return "rested";
        }
    }

    private interface Assistant {
        String chat(String message);
    }

    private PeerBatches() {}

    /** As {@code executeToolsConcurrently()} sets it up, on its default executor. */
    static Batch langChain4j(int count) {
        AiMessage calls = AiMessage.from(IntStream.range(0, count)
                .mapToObj(n -> ToolExecutionRequest.builder()
                        .id("c" + n)
                        .name("nap")
                        .arguments(arguments(n))
                        .build())
                .toList());
        ChatModel model = new ChatModel() {

            @Override
            public ChatResponse doChat(ChatRequest request) {
                long answered = request.messages()
                        .stream()
                        .filter(ToolExecutionResultMessage.class::isInstance)
                        .map(ToolExecutionResultMessage.class::cast)
                        .filter(result -> result.text().contains("rested"))
                        .count();
                AiMessage reply = answered == 0 ? calls : AiMessage.from(answered + " rested");
                return ChatResponse.builder().aiMessage(reply).build();
            }
        };
        Assistant assistant = AiServices.builder(Assistant.class)
                .chatModel(model)
                .tools(new Napping())
                .executeToolsConcurrently()
                .build();
        return () -> demand(assistant.chat("Rest."), count + " rested");
    }

    /** Its tool calling manager, which runs the calls of a message one after another. */
    static Batch springAi(int count) {
        var message = AssistantMessage.builder()
                .toolCalls(IntStream.range(0, count)
                        .mapToObj(
                                n -> new AssistantMessage.ToolCall("c" + n, "function", "nap", arguments(n)))
                        .toList())
                .build();
        var response = new org.springframework.ai.chat.model.ChatResponse(List.of(new Generation(message)));
        var prompt = new Prompt("Rest.",
                ToolCallingChatOptions.builder().toolCallbacks(ToolCallbacks.from(new Napping())).build());
        var manager = DefaultToolCallingManager.builder()
                .unlimitedCallsPerTool()
                .unlimitedTotalToolCalls()
                .build();
        return () -> {
            var last = manager.executeToolCalls(prompt, response).conversationHistory().getLast();
            long answered = ((ToolResponseMessage) last).getResponses()
                    .stream()
                    .filter(result -> result.responseData().contains("rested"))
                    .count();
            demand(answered + " rested", count + " rested");
        };
    }

    private static String arguments(int n) {
        return "{\"n\":" + n + "}";
    }

    private static void demand(String found, String expected) {
        if (!found.equals(expected)) {
            throw new IllegalStateException("expected " + expected + ", found " + found);
        }
    }
}
