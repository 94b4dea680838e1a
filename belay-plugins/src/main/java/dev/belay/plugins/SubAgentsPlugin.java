package dev.belay.plugins;

import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginRegistrar;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.plugin.Slot;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.SessionsCapability;
import dev.belay.runtime.session.TurnResult;
import dev.belay.schema.Description;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolResult;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Lets the model give a task to another agent: tool {@code ask_agent}, which runs a turn in a child session of that agent and returns
 * what it answers. A session that stands so deep that it can have no children has no such tool.
 */
public final class SubAgentsPlugin implements PluginFactory {

    private final Map<String, String> agents;

    /**
     * Offers agents of the runtime.
     *
     * @param agents what each can do, for the model, by its name
     */
    public SubAgentsPlugin(Map<String, String> agents) {
        this.agents = new TreeMap<>(agents);
        if (agents.isEmpty()) {
            throw new IllegalArgumentException("name at least one agent that may be asked");
        }
    }

    @Override
    public String id() {
        return "sub-agents";
    }

    @Override
    public List<ToolDefinition> declaredTools() {
        return ToolMethods.of(new InSession(agents)).definitions();
    }

    @Override
    public SessionPlugin build(PluginSession session) {
        return session.depth() < SessionsCapability.DEEPEST ? new InSession(agents) : SessionPlugin.NONE;
    }

    /** The plugin in one session; its tool is a method. */
    public static final class InSession implements SessionPlugin {

        private final Map<String, String> agents;

        private InSession(Map<String, String> agents) {
            this.agents = agents;
        }

        @Override
        public void register(PluginRegistrar on) {
            on.tools().methods(this);
            on.prompt()
                    .contribute("agents", Slot.TOOLS, view -> "Agents that ask_agent can ask:\n"
                            + agents.entrySet()
                                    .stream()
                                    .map(agent -> "- " + agent.getKey() + ": " + agent.getValue())
                                    .collect(Collectors.joining("\n")));
        }

        /** Gives a task to another agent and waits for its answer. */
        @Tool(name = "ask_agent", resumable = true)
        @Description("Gives a task to another agent and returns its answer. The agent knows nothing but the task.")
        public ToolResult<String> ask(@Description("The name of the agent.") String agent,
                @Description("Everything that it must know.") String task, SessionToolContext context)
                throws InterruptedException {
            if (!agents.containsKey(agent)) {
                return ToolResult.failure(ToolFailure.of(ToolFailure.Kind.INVALID_REQUEST, "unknown_agent",
                        "there is no agent \"" + agent + "\"; there are " + agents.keySet()));
            }
            TurnResult.Ended result = context.sessions().create("asked", agent).turn("task", task).await();
            return result instanceof TurnResult.Finished
                    ? ToolResult.ok(result.summary())
                    : ToolResult.failure(ToolFailure.of(ToolFailure.Kind.EXECUTION, "agent_failed",
                            "agent " + agent + " gave no answer: " + result.summary()));
        }
    }
}
