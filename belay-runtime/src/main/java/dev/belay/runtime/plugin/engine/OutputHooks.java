package dev.belay.runtime.plugin.engine;

import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.plugin.PluginView;
import dev.belay.runtime.plugin.engine.SessionPlugins.Of;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hooks of a session's plugins on one answer of its model. Confined to the thread that asks the model. */
public final class OutputHooks {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.plugin");

    private final SessionPlugins plugins;
    private final StateView view;
    private final TimeSource time;
    private boolean silent;

    /**
     * For one answer.
     *
     * @param view what hooks read
     */
    public OutputHooks(SessionPlugins plugins, StateView view, TimeSource time) {
        this.plugins = plugins;
        this.view = view;
        this.time = time;
    }

    /** What listeners hear of a chunk of text. After a hook has failed they hear no more of this answer: it may be what they must not hear. */
    public List<String> chunks(String chunk) {
        if (plugins.streams.isEmpty()) {
            return List.of(chunk);
        }
        if (silent) {
            return List.of();
        }
        try {
            return HookThread.run(time, thread -> made(thread, chunk));
        } catch (HookThread.HookFailure failure) {
            silent = true;
            LOG.warn(
                    "A hook of session {} failed at a piece of text; the rest of this answer is not streamed",
                    view.session(), failure);
            return List.of();
        }
    }

    private List<String> made(HookThread thread, String chunk) {
        List<String> now = List.of(chunk);
        for (Of<BiFunction<PluginView, String, List<String>>> hook : plugins.streams) {
            thread.enters(hook.plugin());
            List<String> next = new ArrayList<>();
            for (String one : now) {
                next.addAll(Objects.requireNonNull(hook.value().apply(view, one), "the hook returned null"));
            }
            now = next;
        }
        return List.copyOf(now);
    }

    /** The answer that is recorded. {@link PluginFailure} if a hook fails or changes calls. */
    public ModelResponse response(ModelResponse said) {
        if (plugins.responses.isEmpty()) {
            return said;
        }
        try {
            return HookThread.run(time, thread -> {
                ModelResponse now = said;
                for (Of<BiFunction<PluginView, ModelResponse, ModelResponse>> hook : plugins.responses) {
                    thread.enters(hook.plugin());
                    now = kept(said, Objects.requireNonNull(hook.value().apply(view, now),
                            "the hook returned null"));
                }
                return now;
            });
        } catch (HookThread.HookFailure failure) {
            LOG.warn("A hook of session {} failed at an answer, which is not used", view.session(), failure);
            throw new PluginFailure(new TurnHooked.Stop(failure.plugin(), "response_hook_failed",
                    String.valueOf(failure.getMessage())), failure);
        }
    }

    /** A hook changes what was said, and neither calls nor what the answer has cost. The provider's own form goes with the words. */
    private static ModelResponse kept(ModelResponse said, ModelResponse made) {
        if (!made.calls().equals(said.calls())) {
            throw new IllegalStateException("a hook of answers must keep the calls of the model");
        }
        AssistantMessage message = made.message();
        return message.equals(said.message())
                ? said
                : new ModelResponse(
                        message.parts().equals(said.message().parts())
                                ? said.message()
                                : new AssistantMessage(message.parts()),
                        said.finish(), said.usage(), said.model(), said.responseId());
    }
}
