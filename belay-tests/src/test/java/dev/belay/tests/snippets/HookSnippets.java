package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.plugin.ModelSettings;
import dev.belay.runtime.plugin.PluginRegistrar;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.tool.context.PluginBinding;
import java.util.List;

/** The code of docs/plugins-hooks.md and docs/plugins-turns.md. */
final class HookSnippets {

    private HookSnippets() {}

    // region before
    static void limit(PluginRegistrar on) {
        on.toolCalls().before("pay", call -> {
            long amount = call.arguments().get("amount").map(Json::asLong).orElse(0L);
            if (amount > 1_000) {
                return BeforeVerdict.reject("More than 1000 is paid by a person.");
            }
            return amount > 10 ? BeforeVerdict.edit(Json.of("{\"amount\":10}")) : BeforeVerdict.proceed();
        });
    }
    // endregion

    // region after
    static void mask(PluginRegistrar on) {
        on.toolCalls()
                .after("look_up", (call, outcome) -> outcome.text().contains("4711") // of a failure too
                        ? AfterVerdict.complete(Json.string("(masked)"))
                        : AfterVerdict.keep());
    }
    // endregion

    // region input
    static final PluginBinding<String> TENANT = PluginBinding.of("tenant", String.class);

    static void perTenant(PluginRegistrar on) {
        on.toolCalls()
                .before(call -> call.input(TENANT).isPresent()
                        ? BeforeVerdict.proceed()
                        : BeforeVerdict.abort("this turn has no tenant"));
    }

    static String ask(Belay belay) throws InterruptedException {
        return belay.session("s").turn("Pay 5.").with(TENANT, "acme").run().ended().text();
    }
    // endregion

    // region turn
    static void review(PluginRegistrar on) {
        on.turn()
                .before(turn -> turn.turn() > 100
                        ? TurnHook.abort("This session is full.")
                        : TurnHook.goOn());
        on.turn().checkpoint((turn, point) -> {
            if (point == TurnHook.Point.BEFORE_COMPLETION && turn.round() == 1) {
                turn.add(Message.user("Check your answer once more.")); // the turn goes on with this
            }
            return TurnHook.goOn();
        });
        on.turn().after((turn, end) -> turn.emit("turn.ended", end.status()));
    }
    // endregion

    // region child
    static void tidy(PluginRegistrar on) {
        on.turn().after((turn, end) -> turn.startChild("tidy", "cleaner", "Tidy up after: " + end.summary()));
    }
    // endregion

    // region output
    static void hide(PluginRegistrar on) {
        on.output().stream((view, chunk) -> List.of(chunk.replaceAll("[0-9]", "*"))); // what listeners hear
        on.output()
                .response((view, said) -> new ModelResponse( // what is recorded
                        Message.assistant(said.text().replace("4711", "****")), said.finish(), said.usage(),
                        said.model(), said.responseId()));
    }
    // endregion

    // region config
    static void cheap(PluginRegistrar on) {
        on.session()
                .config((view, now) -> view.turn() > 20
                        ? ModelSettings.NONE.withModel("small") // what is not set stays as it is
                        : ModelSettings.NONE);
    }
    // endregion

    // region committed
    static void count(PluginRegistrar on, List<String> ends) {
        on.session().committed((view, end) -> ends.add(view.session() + " " + end.status()));
    }
    // endregion
}
