package dev.belay.plugins;

import dev.belay.json.Json;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.Contribution;
import dev.belay.runtime.plugin.Nothing;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginRegistrar;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.plugin.Slot;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.schema.Description;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.PluginState;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A plan that the model keeps: tool {@code update_plan}, the plan behind every question, event {@code plan.changed}, and the actions
 * {@code plan.show} and {@code plan.clear} for the program around. In root sessions only: a child works for the plan of its parent.
 */
public final class PlanPlugin implements PluginFactory {

    /** The plan of a session. */
    public static final PluginState<Plan, Change> PLAN = PluginState.of("plan", Plan.class,
            new Plan(List.of()), Change.class, (plan, change) -> new Plan(change.steps()));

    /** How far a step is. */
    public enum Status {
        /** Not begun. */
        OPEN,
        /** Under way. */
        ACTIVE,
        /** Finished. */
        DONE
    }

    /**
     * A step.
     *
     * @param text what is to be done
     * @param status how far it is
     */
    public record Step(@Description("What is to be done.") String text,
            @Description("How far it is.") Status status) {}

    /**
     * A plan.
     *
     * @param steps in their order
     */
    public record Plan(List<Step> steps) {

        /** A line for each step. */
        String words() {
            return steps.stream()
                    .map(step -> "- [" + step.status().name().toLowerCase(java.util.Locale.ROOT) + "] "
                            + step.text())
                    .collect(Collectors.joining("\n"));
        }
    }

    /**
     * Another plan in place of the one there is.
     *
     * @param steps of the new one
     */
    public record Change(List<Step> steps) {}

    /** Makes the factory. */
    public PlanPlugin() {}

    @Override
    public String id() {
        return "plan";
    }

    @Override
    public List<ToolDefinition> declaredTools() {
        return ToolMethods.of(new InSession()).definitions();
    }

    @Override
    public SessionPlugin build(PluginSession session) {
        return session.isRootSession() ? new InSession() : SessionPlugin.NONE;
    }

    /** The plugin in one session; its tool is a method. */
    public static final class InSession implements SessionPlugin {

        private InSession() {}

        @Override
        public void register(PluginRegistrar on) {
            on.state(PLAN);
            on.tools().methods(this);
            on.prompt()
                    .contribute(new Contribution("plan", Slot.VOLATILE, 0, "update_plan",
                            view -> view.get(PLAN).steps().isEmpty()
                                    ? ""
                                    : "The plan so far:\n" + view.get(PLAN).words()));
            on.toolCalls().after("update_plan", (call, outcome) -> {
                if (outcome instanceof ToolOutcome.Success) {
                    call.emit("plan.changed", call.get(PLAN));
                }
                return AfterVerdict.keep();
            });
            on.actions().query("plan.show", Nothing.class, Plan.class, (input, view) -> view.get(PLAN));
            on.actions().command("plan.clear", Nothing.class, Plan.class, (input, context) -> {
                context.update(PLAN, new Change(List.of()));
                context.emit("plan.changed", context.get(PLAN));
                return context.get(PLAN);
            });
        }

        /** Publishes the plan, or replaces it. */
        @Tool(name = "update_plan", effect = ToolEffect.READ)
        @Description("Publishes the plan of your work, or replaces it. Give all steps each time.")
        public Json updatePlan(@Description("All steps, in their order.") List<Step> steps,
                SessionToolContext context) {
            context.state().update(PLAN, new Change(steps));
            return Json.from(context.state().get(PLAN));
        }
    }
}
