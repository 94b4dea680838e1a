package dev.belay.tests.plugin;

import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.TurnResult;
import dev.belay.schema.Description;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.tool.context.PluginBinding;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A tool that pays, called by the model with 100, in the loop of the runtime and in a loop of a program's own. */
final class PayDesk {

    static final CallPart PAY = new CallPart("p", "pay", "{\"amount\":100}");
    private static final Toolset<PayTools> TOOLS = Toolset.of(PayTools.class);

    /** Whose loop runs the turn. */
    enum Loop {
        RUNTIME, HOSTED
    }

    @Tools
    sealed interface PayTools {

        @Description("Pays an amount.")
        record Pay(long amount) implements PayTools, ToolInput<String> {}
    }

    /** The same tool for the loop of the runtime. */
    static final class PayMethods {

        private final List<Long> paid;

        PayMethods(List<Long> paid) {
            this.paid = paid;
        }

        @Tool(effect = ToolEffect.ONCE)
        @Description("Pays an amount.")
        public String pay(long amount) {
            paid.add(amount);
            return "paid " + amount;
        }
    }

    final List<Long> paid = new CopyOnWriteArrayList<>();
    /** How a program's loop answers a call; runs it unless a test says otherwise. */
    Function<ToolCall<PayTools>, ToolReply> answer = this::run;

    /** What a program gives along with the input of its loop. */
    List<PluginBinding.Given> given = List.of();

    private ToolReply run(ToolCall<PayTools> call) {
        return switch (call.input()) {
            case PayTools.Pay in -> call.run(in, context -> {
                paid.add(in.amount());
                return "paid " + in.amount();
            });
        };
    }

    static Model model() {
        return new PluginBench().calling(List.of(PAY));
    }

    BelayBuilder with(Loop loop, BelayBuilder builder, PluginFactory... plugins) {
        for (PluginFactory plugin : plugins) {
            builder.plugin(plugin);
        }
        return loop == Loop.RUNTIME
                ? builder.tools(dev.belay.tool.ToolMethods.of(new PayMethods(paid)))
                : builder;
    }

    /** What the model reads of its call. */
    String reply(Loop loop, PluginFactory... plugins) throws Exception {
        paid.clear();
        try (Belay belay = with(loop, PluginBench.builder().model(model()), plugins).build()) {
            return turn(loop, belay).text().replace("done: ", "");
        }
    }

    /** Runs the turn to its end. */
    TurnResult.Ended turn(Loop loop, Belay belay) throws InterruptedException {
        if (loop == Loop.RUNTIME) {
            return belay.session("s").turn("Pay.").id("in").run().ended();
        }
        try (OpenTurn turn = belay.session("s")
                .begin("Pay.", "in", "", given.toArray(PluginBinding.Given[]::new))) {
            if (turn.result().isPresent()) {
                return turn.result().get();
            }
            while (true) {
                if (turn.step().tools(TOOLS).run() instanceof Step.NeedsTools<PayTools, String>(var round)) {
                    round.commit(round.calls().stream().map(answer).toList());
                } else {
                    return turn.finish();
                }
            }
        }
    }
}
