package dev.belay.benchmarks.durable;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.RollingHistory;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.store.Store;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The conversation of every contender: a question, one call of one tool, an answer. */
final class Talk {

    static final String QUESTION = "What is it?";
    static final String ANSWER = "It is 42.";
    static final String ARGUMENTS = "{\"n\":41}";

    private Talk() {}

    /** The tool, with the annotations of all three contenders. */
    public static final class Counting {

        /** Adds one. */
        @Tool(effect = ToolEffect.READ, undescribed = true)
        @dev.langchain4j.agent.tool.Tool("Adds one.")
        @org.springframework.ai.tool.annotation.Tool(description = "Adds one.")
        public String next(int n) {
            return String.valueOf(n + 1);
        }
    }

    static Belay belay(@Nullable Store store) {
        return belay(store, builder -> builder);
    }

    static Belay belay(@Nullable Store store, UnaryOperator<BelayBuilder> more) {
        var builder = more.apply(Belay.builder().model(new Script()).toolMethods(new Counting()));
        return (store == null ? builder : builder.store(store)).build();
    }

    /** With a context that is full after some thirty turns, and a plugin that looks at the whole view of each round. */
    static Belay rolling(Store store) {
        return Belay.builder()
                .model(new Script())
                .toolMethods(new Counting())
                .store(store)
                .maxContextTokens(4_000)
                .configurePlugins(stack -> stack.replace(
                        new RollingHistory(RollingHistory.Config.DEFAULT.withoutSummaries())))
                .plugin(new PluginFactory() {
                    @Override
                    public String id() {
                        return "view";
                    }

                    @Override
                    public SessionPlugin build(PluginSession session) {
                        return on -> on.history().view((view, messages) -> List.copyOf(messages));
                    }
                })
                .build();
    }

    static void turn(Belay belay, String session) throws InterruptedException {
        String text = belay.session(session).turn(QUESTION).run().answer();
        if (!text.equals(ANSWER)) {
            throw new IllegalStateException("expected " + ANSWER + ", found " + text);
        }
    }

    private static final class Script implements Model {

        private static final ModelResponse CALL = new ModelResponse(
                Message.assistant(new Part.CallPart("c1", "next", ARGUMENTS)), FinishReason.TOOL_CALLS,
                Usage.of(100, 10), "script", "r1");
        private static final ModelResponse TEXT = new ModelResponse(Message.assistant(ANSWER),
                FinishReason.STOP, Usage.of(120, 10), "script", "r2");

        @Override
        public String id() {
            return "script";
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            return request.messages().getLast() instanceof Message.ToolMessage ? TEXT : CALL;
        }
    }
}
