package dev.belay.benchmarks.durable;

import com.sun.management.ThreadMXBean;
import dev.belay.runtime.Belay;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.FutureTask;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/**
 * One turn in memory, beside the peers, asked from a virtual thread: the first of a new session, and a further one of an open session (ten
 * turns each). The peers keep no conversation: each of their turns is the first.
 */
final class Turns {

    /** The bar of a further turn: at most so many times what {@code AiServices} takes. */
    private static final double MOST_TIMES = 10;
    /** The bar of a further turn: at most so much is allocated, by all threads. */
    private static final double MOST_KILOBYTES = 16;

    private static final String PEER = "LangChain4j 1.19.0 AiServices";
    private static final int TURNS = 5_000;
    private static final int TURNS_OF_SESSION = 10;
    private static final int WARM_UPS = 20;

    private Turns() {}

    private interface Contender {
        void turn(int n) throws Exception;
    }

    private record Figure(double micros, double kilobytes) {}

    static List<Line> measure(int rounds) throws Exception {
        try (Belay belay = Talk.belay(null)) {
            return measure(rounds, WARM_UPS,
                    List.of("Belay, recorded in memory", PEER, "Belay, first turn of a new session",
                            "Spring AI 2.0.1 ChatClient"),
                    List.of(further(belay), langChain4j(), first(belay), springAi()));
        }
    }

    /** The same with plugins, without them, and beside the peer of the bar. */
    static List<Line> measure(int rounds, int warmUps, Belay with, Belay without) throws Exception {
        return measure(rounds, warmUps,
                List.of("Belay with plan, prompt context and activity", PEER,
                        "the same, first turn of a new session", "Belay without them",
                        "the same, first turn of a new session"),
                List.of(further(with), langChain4j(), first(with), further(without), first(without)));
    }

    private static Contender first(Belay belay) {
        return n -> Talk.turn(belay, "first" + n);
    }

    private static Contender further(Belay belay) {
        return n -> Talk.turn(belay, "further" + n / TURNS_OF_SESSION);
    }

    private static List<Line> measure(int rounds, int warmUps, List<String> names,
            List<Contender> contenders) throws Exception {
        List<List<Figure>> figures = names.stream().<List<Figure>>map(name -> new ArrayList<>()).toList();
        for (int round = -warmUps; round < rounds; round++) {
            System.err.printf("one turn, round %d of %d%n", round + 1, rounds);
            int start = (round + warmUps) * TURNS;
            for (int i = 0; i < contenders.size(); i++) {
                Figure figure = take(contenders.get(i), start);
                if (round >= 0) {
                    figures.get(i).add(figure);
                }
            }
        }
        return lines(names, figures);
    }

    private static Figure take(Contender contender, int first) throws Exception {
        var memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = memory.getTotalThreadAllocatedBytes();
        long start = System.nanoTime();
        var asking = new FutureTask<>(() -> {
            for (int i = 0; i < TURNS; i++) {
                contender.turn(first + i);
            }
            return true;
        });
        Thread.ofVirtual().start(asking);
        asking.get();
        double micros = (System.nanoTime() - start) / 1e3 / TURNS;
        return new Figure(micros, (memory.getTotalThreadAllocatedBytes() - bytes) / 1024.0 / TURNS);
    }

    private static List<Line> lines(List<String> names, List<List<Figure>> figures) {
        Spread[] micros = figures.stream()
                .map(list -> Spread.of(list, Figure::micros))
                .toArray(Spread[]::new);
        double peer = micros[1].median();
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            double kilobytes = Spread.of(figures.get(i), Figure::kilobytes).median();
            lines.add(new Line("one turn with one call, µs: " + names.get(i), micros[i].text(1),
                    String.format(Locale.ROOT, "%.1f KiB; %.2f × AiServices", kilobytes,
                            micros[i].median() / peer),
                    "", i == 0 ? "≤ 10 ×, ≤ 16 KiB" : "",
                    micros[i].median() <= MOST_TIMES * peer && kilobytes <= MOST_KILOBYTES));
        }
        return lines;
    }

    private interface Assistant {
        String chat(String message);
    }

    private static Contender langChain4j() {
        AiMessage call = AiMessage.from(
                ToolExecutionRequest.builder().id("c1").name("next").arguments("{\"n\":41}").build());
        ChatModel model = new ChatModel() {

            @Override
            public ChatResponse doChat(ChatRequest request) {
                AiMessage reply = request.messages().getLast() instanceof ToolExecutionResultMessage
                        ? AiMessage.from(Talk.ANSWER)
                        : call;
                return ChatResponse.builder().aiMessage(reply).build();
            }
        };
        Assistant assistant = AiServices.builder(Assistant.class)
                .chatModel(model)
                .tools(new Talk.Counting())
                .build();
        return n -> demand(assistant.chat(Talk.QUESTION));
    }

    private static Contender springAi() {
        var call = AssistantMessage.builder()
                .toolCalls(List.of(new AssistantMessage.ToolCall("c1", "function", "next", "{\"n\":41}")))
                .build();
        var first = new org.springframework.ai.chat.model.ChatResponse(List.of(new Generation(call)));
        var last = new org.springframework.ai.chat.model.ChatResponse(
                List.of(new Generation(new AssistantMessage(Talk.ANSWER))));
        ChatClient client = ChatClient.builder(new org.springframework.ai.chat.model.ChatModel() {

            @Override
            public org.springframework.ai.chat.model.ChatResponse call(Prompt prompt) {
                return prompt.getInstructions().getLast() instanceof ToolResponseMessage ? last : first;
            }

            @Override
            public ChatOptions getOptions() {
                return ToolCallingChatOptions.builder().build();
            }
        })
                .defaultAdvisors(ToolCallingAdvisor.builder().build())
                .defaultTools(new Talk.Counting())
                .build();
        return n -> demand(String.valueOf(client.prompt(Talk.QUESTION).call().content()));
    }

    private static void demand(String found) {
        if (!found.equals(Talk.ANSWER)) {
            throw new IllegalStateException("expected " + Talk.ANSWER + ", found " + found);
        }
    }
}
