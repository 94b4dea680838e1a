package dev.belay.tests.snippets;

import dev.belay.model.Model;
import dev.belay.plugins.ActivityPlugin;
import dev.belay.plugins.PlanPlugin;
import dev.belay.plugins.PromptContextPlugin;
import dev.belay.plugins.SubAgentsPlugin;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.Contribution;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginRegistrar;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.PluginStack;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.plugin.Slot;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.schema.Description;
import dev.belay.testkit.PluginHarness;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.PluginState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The code of docs/plugins.md. */
final class PluginSnippets {

    private PluginSnippets() {}

    // region factory
    static final class NotesPlugin implements PluginFactory { // one per runtime; owns what is expensive

        static final PluginState<Notes, Change> NOTES = PluginState.of("notes", Notes.class,
                new Notes(List.of()), Change.class, Notes::apply); // a change is data, apply is pure

        @Override
        public String id() {
            return "notes";
        }

        @Override
        public SessionPlugin build(PluginSession session) { // per session, child, fork; no I/O
            return session.isRootSession() ? new InSession() : SessionPlugin.NONE;
        }
    }
    // endregion

    // region state
    record Notes(List<String> lines) {

        Notes apply(Change change) {
            return switch (change) {
                case Change.Add(String line) -> {
                    var more = new ArrayList<>(lines);
                    more.add(line);
                    yield new Notes(List.copyOf(more));
                }
                case Change.Clear clear -> new Notes(List.of());
            };
        }
    }

    sealed interface Change {

        record Add(String line) implements Change {}

        record Clear() implements Change {}
    }
    // endregion

    // region plugin
    static final class InSession implements SessionPlugin {

        @Override
        public void register(PluginRegistrar on) {
            on.state(NotesPlugin.NOTES);
            on.tools().methods(this);
            on.prompt()
                    .contribute("notes", Slot.VOLATILE,
                            view -> "Your notes:\n" + String.join("\n", view.get(NotesPlugin.NOTES).lines()));
            on.toolCalls().after("note", (call, outcome) -> {
                call.emit("notes.changed", call.get(NotesPlugin.NOTES));
                return AfterVerdict.keep();
            });
        }

        @Tool(effect = ToolEffect.READ) // it changes nothing but the state, so it may be repeated
        @Description("Keeps a note for later.")
        public String note(@Description("One line.") String line, SessionToolContext context) {
            context.state().update(NotesPlugin.NOTES, new Change.Add(line));
            return "noted";
        }
    }
    // endregion

    // region open
    static Belay open(Model model, Path project) {
        return Belay.builder()
                .model(model)
                .plugin(new NotesPlugin()) // appends
                .plugin(new PlanPlugin())
                .plugin(PromptContextPlugin.files(project, "AGENTS.md"))
                .agent("helper", agent -> agent.model(model).plugins(PluginStack.empty())) // a stack of its own
                .build();
    }
    // endregion

    // region stack
    static Belay changed(Model model) {
        return Belay.builder()
                .model(model)
                .plugins(PluginStack.runtime().push(new PlanPlugin())) // replaces the whole stack
                .configurePlugins(stack -> stack.push(new ActivityPlugin()).remove("plan")) // changes it
                .build();
    }
    // endregion

    // region contribution
    static void contribute(PluginRegistrar on) {
        on.prompt()
                .contribute(
                        new Contribution("search", Slot.TOOLS, 10, null, view -> "Search before you guess.")
                                .with("search")); // only if the model is offered a tool of this name
    }
    // endregion

    // region offer
    static void offer(PluginRegistrar on) {
        on.catalog().offer((view, tool) -> view.turn() > 1 || !tool.name().equals("pay"));
    }
    // endregion

    // region agents
    static Belay delegating(Model model, Model careful) {
        return Belay.builder()
                .model(model)
                .agent("lawyer", agent -> agent.model(careful).instructions("You know the law."))
                .plugin(new SubAgentsPlugin(Map.of("lawyer", "answers questions about the law")))
                .build();
    }
    // endregion

    // region harness
    static int killed(Model model) throws InterruptedException {
        return PluginHarness.of(NotesPlugin::new, model).input("Note that.").input("And this.").verify();
    }
    // endregion
}
