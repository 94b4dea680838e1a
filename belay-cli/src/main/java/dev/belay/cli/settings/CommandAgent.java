package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.model.Model;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.policy.Policy;
import dev.belay.tool.ToolProvider;
import java.time.Clock;
import java.util.function.UnaryOperator;

/**
 * An agent of the settings as the command runs it: with a prompt of the command, unless its settings leave that out.
 *
 * @param settings of the workspace
 * @param name of the agent
 * @param workspace where it works
 */
public record CommandAgent(Settings settings, String name, AgentWorkspace workspace) {

    /**
     * Defines it in a runtime.
     *
     * @param model that answers
     * @param tools of the workspace
     * @param mode what becomes of the policies of agents in this run
     */
    public void define(BelayBuilder builder, Model model, ToolProvider tools, UnaryOperator<Policy> mode) {
        Settings.Agent agent = settings.agent(name);
        agent.define(builder, name, model, tools, mode.apply(agent.policy()));
        if (agent.has(Settings.PROMPT)) {
            builder.plugin(AgentPrompt.of(workspace, Clock.systemDefaultZone()));
        }
    }
}
