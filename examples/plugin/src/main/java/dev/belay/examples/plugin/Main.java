package dev.belay.examples.plugin;

import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.plugins.PlanPlugin;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.schema.Description;
import dev.belay.schema.Range;
import dev.belay.tool.Tool;
import dev.belay.tool.option.Scheduling;
import java.io.PrintStream;

/** Four payments of 40 euros in a session that may pay 100. */
public final class Main {

    private static final String FORTY = "{\"euros\":40}";

    private Main() {}

    /** The tool that the plugin watches. */
    public static final class Till {

        private final PrintStream out;

        Till(PrintStream out) {
            this.out = out;
        }

        /** Pays a sum to the customer. Serial: the hooks of a payment see what the payment before it in the message has left. */
        @Tool(scheduling = Scheduling.SERIAL)
        @Description("Pays a sum to the customer.")
        public String pay(@Description("How much.") @Range(min = 1) int euros) {
            out.println("  till:   paid " + euros + " euros");
            return "paid " + euros + " euros";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        run(System.out);
    }

    static void run(PrintStream out) throws InterruptedException {
        var model = new ScriptedModel()
                .then(ScriptStep.call("pay", FORTY).andCall("pay", FORTY).andCall("pay", FORTY))
                .call("pay", FORTY)
                .reply("I have paid what I could.");
        try (Belay belay = Belay.builder()
                .model(model)
                .toolMethods(new Till(out))
                .plugin(new PlanPlugin())
                .plugin(new SpendingLimit(100))
                .listener((session, event) -> print(out, event))
                .build()) {
            out.println(
                    "The model wants to pay 40 euros four times, three of them in one message; the plugin lets the session"
                            + " pay 100:");
            String answer = belay.session("till-1").turn("Pay the customer.").run().answer();
            out.println("  model:  " + answer);
        }
    }

    private static void print(PrintStream out, TurnEvent event) {
        if (event instanceof TurnEvent.Plugin(long turn, String plugin, String name, var data)) {
            out.println("  plugin: " + name + " " + data);
        } else if (event instanceof TurnEvent.Call call
                && call.event() instanceof CallEvent.Finished finished) {
            out.println("  call:   " + finished.outcome().text());
        }
    }
}
