package dev.belay.tests.history;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.TokenFamily;
import dev.belay.model.Usage;
import dev.belay.runtime.plugin.HistoryHook;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** What tests of the history share: a model that hears every request, and a tool whose outputs are long. */
final class HistoryBench {

    /** About 1,000 tokens. */
    static final String LONG = "the quick brown fox jumps over the dog ".repeat(111);

    final List<ModelRequest> requests = new CopyOnWriteArrayList<>();
    final List<ModelRequest> summaries = new CopyOnWriteArrayList<>();

    /** Calls {@code look} as often as said in each turn, then answers; summarises if it is asked to. */
    Model looking(int calls) {
        return answering(request -> {
            int done = 0;
            for (Message message : request.messages().reversed()) {
                done += message instanceof Message.ToolMessage ? 1 : 0;
                if (message instanceof Message.UserMessage said && !said.text().startsWith("It is ")) {
                    break;
                }
            }
            return done < calls
                    ? SessionBench
                            .calls(List.of(new CallPart("call-" + request.messages().size(), "look", "{}")))
                    : text("done");
        });
    }

    Model answering(Function<ModelRequest, ModelResponse> answer) {
        return model(request -> {
            if (isSummary(request)) {
                summaries.add(request);
                ModelResponse said = text("They looked around, as "
                        + request.messages().getLast().toString().length() + " characters say.");
                return new ModelResponse(said.message(), FinishReason.STOP, Usage.of(100, 20), "function",
                        "");
            }
            requests.add(request);
            return answer.apply(request);
        });
    }

    static boolean isSummary(ModelRequest request) {
        return request.messages().getFirst() instanceof Message.SystemMessage(String text)
                && text.startsWith("Summarise");
    }

    /** The tool {@code look}, with an output of about so many thousand tokens. */
    static StaticToolProvider look(int thousands) {
        return StaticToolProvider.builder()
                .raw(SessionBench.tool("look", ToolEffect.READ),
                        (arguments, context) -> LONG.repeat(thousands))
                .build();
    }

    static long tokens(ModelRequest request) {
        return TokenFamily.O200K.tokens(request);
    }

    static PluginFactory plugin(String id, SessionPlugin plugin) {
        return new PluginFactory() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public SessionPlugin build(PluginSession session) {
                return plugin;
            }
        };
    }

    static PluginFactory compactor(HistoryHook.Compactor compactor) {
        return plugin("own", on -> on.history().compactor(compactor));
    }

    /** In how many requests something before the end of the request before has changed. */
    static <T> int changedBeginnings(List<List<T>> requests) {
        int changes = 0;
        for (int i = 1; i < requests.size(); i++) {
            List<T> before = requests.get(i - 1);
            List<T> now = requests.get(i);
            boolean grown = now.size() >= before.size() && now.subList(0, before.size()).equals(before);
            changes += grown ? 0 : 1;
        }
        return changes;
    }
}
