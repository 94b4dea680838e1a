package dev.belay.tests.plugin;

import dev.belay.json.Json;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.Nothing;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginRegistrar;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.plugin.Slot;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.schema.Description;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.PluginState;
import java.util.ArrayList;
import java.util.List;

/** A plugin with a tool, a state, a hook and a text. */
final class PlanPlugin implements PluginFactory {

    static final PluginState<Steps, Change> STEPS = PluginState.of("steps", Steps.class, Steps.NONE,
            Change.class, Steps::apply);

    record Steps(List<String> steps) {

        static final Steps NONE = new Steps(List.of());

        Steps apply(Change change) {
            return switch (change) {
                case Change.Add(String step) -> {
                    var more = new ArrayList<>(steps);
                    more.add(step);
                    yield new Steps(more);
                }
                case Change.Clear clear -> NONE;
            };
        }
    }

    sealed interface Change {

        record Add(String step) implements Change {}

        record Clear() implements Change {}
    }

    @Override
    public String id() {
        return "plan";
    }

    @Override
    public SessionPlugin build(PluginSession session) {
        return session.isRootSession() ? new Plan() : SessionPlugin.NONE;
    }

    static final class Plan implements SessionPlugin {

        @Override
        public void register(PluginRegistrar on) {
            on.state(STEPS);
            on.tools().methods(this);
            on.prompt().contribute("plan", Slot.VOLATILE, p -> "The plan so far: " + p.get(STEPS));
            on.toolCalls().after("add_step", (call, outcome) -> {
                call.emit("plan.changed", call.get(STEPS));
                return AfterVerdict.keep();
            });
            on.actions().query("plan.show", Nothing.class, Steps.class, (in, view) -> view.get(STEPS));
            on.actions().command("plan.add", Change.Add.class, Steps.class, (add, context) -> {
                context.update(STEPS, add);
                context.emit("plan.changed", context.get(STEPS));
                return context.get(STEPS);
            });
            on.actions()
                    .command("plan.count", (in, context) -> Json.number((long) in.items().size()
                            + context.get(STEPS).steps().size()));
            on.actions().command("plan.fail", Nothing.class, Steps.class, (in, context) -> {
                context.update(STEPS, new Change.Clear());
                throw new IllegalStateException("no plan today");
            });
        }

        /** Adds a step to the plan. */
        @Tool(name = "add_step", effect = ToolEffect.READ)
        @Description("Adds a step to the plan.")
        public String add(String step, SessionToolContext context) {
            context.state().update(STEPS, new Change.Add(step));
            return "added as number " + context.state().get(STEPS).steps().size();
        }
    }
}
