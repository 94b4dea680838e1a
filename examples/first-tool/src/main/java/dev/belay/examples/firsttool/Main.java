package dev.belay.examples.firsttool;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Lets a scripted model talk to tools and prints both sides. No network, no key. */
public final class Main {

    public static void main(String[] args) {
        run(System.out);
    }

    static void run(PrintStream out) {
        out.println("== Tools from records");
        converse(out, shop(), new ScriptedModel()
                .call("find_orders", "{\"customer\": \"ada@example.com\", \"limit\": 1}")
                .call("find_orders", "{\"custommer\": \"ada@example.com\", \"limit\": 99}")
                .call("find_order", "{}")
                .call("cancel_order", "{\"order\": 99, \"reason\": \"wrong size\"}")
                .reply("There is no order 99."));
        out.println("== Tools from methods");
        converse(out, ToolMethods.of(new Till()), new ScriptedModel()
                .call("add_tax", "{\"cents\": 8950, \"percent\": 19}")
                .reply("That is 106.50 with tax."));
    }

    // region provider
    /** A body is ordinary Java. What it returns or throws is told to the model. */
    private static ToolProvider shop() {
        List<String> orders = List.of("order 42: rope", "order 7: chalk");
        return StaticToolProvider.builder()
                .tool(ShopTools.FindOrders.class,
                        (in, context) -> orders.subList(0, Math.min(2, in.limit().orElse(2))))
                .tool(ShopTools.CancelOrder.class, (in, context) -> {
                    if (in.order() != 42 && in.order() != 7) {
                        throw new ToolException("there is no order " + in.order());
                    }
                    return "cancelled: " + in.reason();
                })
                .build();
    }
    // endregion

    // region methods
    /** The other way to declare tools: methods of any object. The parameters are the arguments. */
    static final class Till {

        /** Adds tax to a price and returns the sum, in cents. */
        @Tool
        long addTax(long cents, int percent) {
            return cents + cents * percent / 100;
        }
    }
    // endregion

    // region loop
    /** Asks the model, runs what it calls and tells it what came of it, until it calls nothing more. */
    private static void converse(PrintStream out, ToolProvider tools, Model model) {
        var caller = ToolCaller.of(tools);
        var offered = tools.definitions().stream().map(ToolDefinition::spec).toList();
        var messages = new ArrayList<Message>(List.of(Message.user("Please help me.")));
        while (true) {
            var response = model.complete(ModelRequest.builder(messages).tools(offered).build());
            messages.add(response.message());
            if (response.calls().isEmpty()) {
                out.println("model says:  " + response.text());
                return;
            }
            var replies = new ArrayList<ReplyPart>();
            for (CallPart call : response.calls()) {
                ToolOutcome outcome = caller.call(call.name(), call.arguments());
                out.println("model asks:  " + call.name() + " " + call.arguments());
                out.println("model reads: " + outcome.text().replace("\n", "\n             "));
                replies.add(new ReplyPart(call.id(), call.name(), outcome.status(), outcome.text()));
            }
            messages.add(new Message.ToolMessage(replies));
        }
    }
    // endregion
}
