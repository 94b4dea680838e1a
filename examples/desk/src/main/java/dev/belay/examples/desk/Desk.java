package dev.belay.examples.desk;

import dev.belay.model.http.ModelDiscovery;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.TurnResult;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.Approval;
import java.io.IOException;
import java.nio.file.Path;

// region desk
class Desk {

    /** Pays an order back. */
    @Tool(effect = ToolEffect.IDEMPOTENT, approval = Approval.ALWAYS)
    String refund(long order, int cents, ToolContext call) throws IOException {
        return Bank.pay(order, cents, call.idempotencyKey().value()); // the same key on every attempt
    }

    public static void main(String[] args) throws InterruptedException {
        try (var belay = Belay.builder()
                .model(ModelDiscovery.start().find())
                .toolMethods(new Desk())
                .store(JdbcStore.sqlite(Path.of("desk.db")))
                .build()) {
            var result = belay.session("order-42").turn("Refund order 42: 89.50 euros.").id("mail-17").run();
            System.out.println(switch (result) {
                case TurnResult.Resting rest -> rest.toString(); // what it waits for, and the command that answers it
                case TurnResult.Ended end -> end.answer();
            });
        }
    }
}
// endregion
