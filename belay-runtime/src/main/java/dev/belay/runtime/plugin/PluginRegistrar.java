package dev.belay.runtime.plugin;

import dev.belay.json.Json;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.output.OutputProjector;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.PluginState;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * Where a plugin registers what it adds to a session, while {@link SessionPlugin#register} runs. Everything stands in the order of the
 * stack and, within a plugin, in the order in which it is registered. What is taken twice is {@code plugin_conflict}, with both plugins
 * named. Confined to the thread that registers.
 */
public interface PluginRegistrar {

    /** A state that is kept with the session. Its name is unique in the plugin. */
    <S, C> void state(PluginState<S, C> state);

    /** Tools. */
    Tools tools();

    /** Texts around the conversation. */
    Prompt prompt();

    /** What the model is offered. */
    Catalog catalog();

    /** Hooks of turns. */
    Turn turn();

    /** Hooks of calls. */
    ToolCalls toolCalls();

    /** What the model says. */
    Output output();

    /** What is shown of results. */
    ToolResults toolResults();

    /** What happens to the session. */
    Session session();

    /** What a program can ask of the plugin. */
    Actions actions();

    /** What of the conversation the model is sent. */
    History history();

    /** What helps to find tools. */
    Discovery discovery();

    /** What is watched beside turns. */
    Monitors monitors();

    /** Registers what helps to find tools among many. */
    interface Discovery {

        /** Words under which a tool is found, beside its own. */
        void hint(String tool, List<String> words);

        /** Puts tools into the order in which they fit a question. One plugin of a session may. */
        void ranker(BiFunction<String, List<ToolManifest>, List<ToolManifest>> ranker);

        /** Lets the model search tools that it is not offered. One plugin of a session may. */
        void search(ToolSearchConfig config);
    }

    /** Registers what is watched beside turns. */
    interface Monitors {

        /**
         * Starts a process for the session with its next turn, unless it was started before.
         *
         * @param name unique in the plugin; 1 to 64 letters, digits, {@code _}, {@code -} and {@code .}
         */
        void start(String name, Monitor monitor);
    }

    /** Registers tools. */
    interface Tools {

        /** The tools of a provider. */
        void provider(ToolProvider tools);

        /** The methods of an object that are marked as tools; what they are is found out once for each class. */
        void methods(Object target);
    }

    /** Registers texts around the conversation. */
    interface Prompt {

        /** A text that is made anew before each question. */
        void contribute(Contribution contribution);

        /** The same with the priority 0. */
        default void contribute(String id, Slot slot, Function<PluginView, String> text) {
            contribute(new Contribution(id, slot, 0, null, text));
        }
    }

    /** Registers what the model is not offered. */
    interface Catalog {

        /** Leaves tools out that it answers false for; asked before each question, and cannot add any. */
        void offer(BiPredicate<PluginView, ToolManifest> offered);
    }

    /** Registers hooks of turns. */
    interface Turn {

        /** Asked before the first round. */
        void before(TurnHook.Before hook);

        /** Asked between rounds and before the end. */
        void checkpoint(TurnHook.Checkpoint hook);

        /** Told the end. */
        void after(TurnHook.After hook);
    }

    /** Registers hooks of calls. */
    interface ToolCalls {

        /** Asked before every call. */
        void before(CallHook.Before hook);

        /** Asked before calls of one tool. */
        void before(String tool, CallHook.Before hook);

        /** Asked after every call. */
        void after(CallHook.After hook);

        /** Asked after calls of one tool. */
        void after(String tool, CallHook.After hook);
    }

    /** Registers what is made of the model's words. */
    interface Output {

        /** Makes chunks of a chunk of text on its way to listeners; the answer that is recorded stays as it is. */
        void stream(BiFunction<PluginView, String, List<String>> chunks);

        /** Makes another answer of an answer, which is recorded. Must keep its calls. */
        void response(BiFunction<PluginView, ModelResponse, ModelResponse> response);
    }

    /** Registers what is shown of results. */
    interface ToolResults {

        /** Makes what programs, the model and the history are shown of outputs. One plugin of a session may. */
        void projector(OutputProjector projector);

        /**
         * Tools that read kept outputs. The model is offered them behind all other tools, from the first output on that was kept, and
         * for as long as the session lives; a tool whose name is taken is left out. The plugin with the projector may.
         */
        void tools(ToolProvider tools);
    }

    /** Registers who is told of the session, and who decides how its model is asked. */
    interface Session {

        /**
         * Says how the model is asked, before each question, after turn, session and agent and in the order of the stack: sees what holds
         * so far and returns what it sets. Recorded with the round. One that fails ends the turn.
         */
        void config(BiFunction<PluginView, ModelSettings, ModelSettings> settings);

        /** Told after a turn was committed; it has 5 seconds, and what it throws is logged. */
        void committed(BiConsumer<PluginView, TurnHook.Ended> listener);
    }

    /** Registers what a program can ask of the plugin, by an id that is unique in the session. */
    interface Actions {

        /** Reads what was committed, at once. */
        <I, O> void query(String id, Class<I> input, Class<O> output, BiFunction<I, PluginView, O> answer);

        /** The same with JSON on both sides. */
        void query(String id, BiFunction<Json, PluginView, Json> answer);

        /** Changes states: a durable arrival, carried out once, at the next checkpoint of a turn or without one. */
        <I, O> void command(String id, Class<I> input, Class<O> output,
                BiFunction<I, HookContext, O> command);

        /** The same with JSON on both sides. */
        void command(String id, BiFunction<Json, HookContext, Json> command);
    }

    /** Registers what of the conversation the model is sent. */
    interface History {

        /** Makes what is sent, before each question. */
        void view(HistoryHook.View view);

        /** Makes it shorter, as a recorded step. */
        void compactor(HistoryHook.Compactor compactor);
    }
}
