package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.model.Model;
import dev.belay.plugins.PlanPlugin;
import dev.belay.plugins.PromptContextPlugin;
import dev.belay.plugins.SubAgentsPlugin;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.policy.Policy;
import dev.belay.schema.Shown;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * An agent of the settings as the command runs it: with a prompt of the command, the text of the workspace, a plan, and sub-agents,
 * unless its settings leave them out.
 *
 * @param settings of the workspace
 * @param name of the agent
 * @param workspace where it works
 * @param text what the workspace tells it, as a person has agreed; the empty text for nothing
 */
public record CommandAgent(Settings settings, String name, AgentWorkspace workspace, String text) {

    /** The sub-agent that each agent may ask: another one like itself. */
    private static final String HELPER = "helper";
    private static final String LIKE_IT = "an agent like you with the same tools; it does not know this conversation";
    private static final int DESCRIPTION = 200;

    /**
     * Defines it in a runtime.
     *
     * @param model that answers
     * @param below that answers its sub-agents
     * @param tools of the workspace
     * @param mode what becomes of the policies of agents in this run
     */
    public void define(BelayBuilder builder, Model model, Model below, ToolProvider tools,
            UnaryOperator<Policy> mode) {
        Settings.Agent agent = settings.agent(name);
        agent.define(builder, name, model, tools, mode.apply(agent.policy()));
        if (agent.has(Settings.PROMPT)) {
            builder.plugin(AgentPrompt.of(workspace, Clock.system(ZoneId.systemDefault())));
        }
        if (!text.isEmpty()) {
            builder.plugin(PromptContextPlugin.of(text));
        }
        if (agent.has(Settings.PLAN)) {
            builder.plugin(new PlanPlugin());
        }
        Map<String, Settings.Agent> others = agent.has(Settings.SUB_AGENTS) ? others(agent) : Map.of();
        if (!others.isEmpty()) {
            others.forEach(
                    (other, one) -> one.define(builder, other, below, tools, mode.apply(one.policy())));
            Map<String, String> words = new TreeMap<>();
            others.forEach((other, one) -> words.put(other, one.equals(agent)
                    ? LIKE_IT
                    : Shown.inLine(one.instructions().lines().findFirst().orElse(LIKE_IT), DESCRIPTION)));
            builder.plugin(new SubAgentsPlugin(words));
        }
    }

    /** The agents that it may ask: those of its model, so that no other server is needed or told anything. */
    private Map<String, Settings.Agent> others(Settings.Agent agent) {
        Map<String, Settings.Agent> others = withHelper(settings, agent);
        others.remove(name);
        others.values().removeIf(other -> !other.model().equals(agent.model()));
        return others;
    }

    /** The agents of the settings, and the helper of one of them. */
    public static Map<String, Settings.Agent> withHelper(Settings settings, Settings.Agent asking) {
        Map<String, Settings.Agent> all = new TreeMap<>(Map.of(HELPER, asking));
        all.putAll(settings.agents());
        return all;
    }

    /** The tools that agents have by what the command gives them. */
    public static List<ToolDefinition> tools() {
        return Stream.of(new PlanPlugin(), new SubAgentsPlugin(Map.of(HELPER, LIKE_IT)))
                .flatMap(plugin -> plugin.declaredTools().stream())
                .toList();
    }
}
