package dev.belay.tests.snippets.lash;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.plugins.PlanPlugin;
import dev.belay.runtime.Belay;
import dev.belay.runtime.output.ToolOutputBudgetConfig;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.Nothing;
import dev.belay.runtime.plugin.OutputBudgetPlugin;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginRegistrar;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.PluginStack;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.plugin.Slot;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.schema.Description;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.PluginState;
import java.util.List;

/** The code of docs/from-lash-plugins.md. */
final class PluginSamples {

    private PluginSamples() {}

    /** A plugin of the application. */
    static final class AppPlugin implements PluginFactory {

        @Override
        public String id() {
            return "app";
        }

        @Override
        public SessionPlugin build(PluginSession session) {
            return on -> on.prompt().contribute("app", Slot.SYSTEM, view -> "You work for the app.");
        }
    }

    // region defaults
    static Belay defaults(Model model) {
        return Belay.builder()
                .model(model)
                .maxContextTokens(200_000)
                .configurePlugins(plugins -> plugins.push(new AppPlugin()))
                .build();
    }
    // endregion

    // region budget
    static Belay budgeted(Model model) {
        ToolOutputBudgetConfig config = ToolOutputBudgetConfig.DEFAULT.withLimit(32 << 10) // default: 16 KiB
                .withMaxLines(800); // default: 400
        PluginStack plugins = PluginStack.runtime().replace(new OutputBudgetPlugin(config));
        return Belay.builder().model(model).plugins(plugins).build();
    }
    // endregion

    // region replace
    static Belay replaced(Model model) {
        PluginStack plugins = PluginStack.runtime()
                .push(new AppPlugin())
                .push(new PlanPlugin())
                .configure(stack -> {
                    stack.replace(new AppPlugin()); // in its place
                    stack.remove("plan");
                });
        return Belay.builder().model(model).plugins(plugins).build();
    }
    // endregion

    // region plan
    record Plan(List<String> steps) {}

    static final class UpdatePlanPlugin implements PluginFactory { // 1. the factory: one per runtime

        static final PluginState<Plan, Plan> PLAN = PluginState.of("plan", Plan.class,
                new Plan(List.of()), Plan.class, (before, after) -> after);

        @Override
        public String id() {
            return "update_plan";
        }

        @Override
        public SessionPlugin build(PluginSession session) {
            return session.isRootSession() ? new InSession() : SessionPlugin.NONE; // gated by context
        }
    }

    static final class InSession implements SessionPlugin { // 2. one per session: registers

        @Override
        public void register(PluginRegistrar on) {
            on.state(UpdatePlanPlugin.PLAN); // kept with the session: no Mutex, no snapshot
            on.tools().methods(this);
            on.toolCalls().after("update_plan", (call, outcome) -> {
                call.emit("plan.changed", call.get(UpdatePlanPlugin.PLAN));
                return AfterVerdict.keep();
            });
            on.prompt()
                    .contribute("plan", Slot.VOLATILE,
                            view -> "The plan: " + view.get(UpdatePlanPlugin.PLAN).steps());
            on.actions()
                    .query("plan.show", Nothing.class, Plan.class,
                            (in, view) -> view.get(UpdatePlanPlugin.PLAN));
        }

        @Tool(name = "update_plan", effect = ToolEffect.READ) // 3. the tool
        @Description("Publish or replace the current plan.")
        public int updatePlan(List<String> steps, SessionToolContext context) {
            context.state().update(UpdatePlanPlugin.PLAN, new Plan(steps));
            return steps.size();
        }
    }
    // endregion

    // region snapshot
    /** A later build of the plan: a step has a mark. What an older build has kept is read once, and kept in the new form. */
    record Step(String text, boolean done) {}

    record Marked(List<Step> steps) {}

    static final PluginState<Marked, Marked> MARKED = PluginState.of("plan", Marked.class,
            new Marked(List.of()), Marked.class, (before, after) -> after).version(2, (version, kept) -> {
                List<Step> steps = kept.as(Plan.class)
                        .steps()
                        .stream()
                        .map(text -> new Step(text, false))
                        .toList();
                return Json.from(new Marked(steps));
            });
    // endregion

    // region wire
    static Belay wired(Model model) {
        return Belay.builder().model(model).plugin(new UpdatePlanPlugin()).build();
    }
    // endregion
}
