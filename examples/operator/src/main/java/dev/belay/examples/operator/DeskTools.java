package dev.belay.examples.operator;

import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The tools of the clerk. The bank is a directory: a payment is a file named after its idempotency key. */
final class DeskTools {

    private final Path bank;

    DeskTools(Path bank) {
        this.bank = bank;
    }

    // region tools
    /**
     * Pays money to somebody.
     *
     * @param to whom
     * @param cents how much
     */
    @Tool // ONCE, the default: it is never repeated by itself
    record Pay(String to, int cents) implements ToolInput<String> {}

    /**
     * Asks the manager, who may take days.
     *
     * @param question what is to be decided
     */
    @Tool
    record AskManager(String question) implements ToolInput<String> {}

    ToolProvider provider() {
        return StaticToolProvider.builder()
                .tool(Pay.class, this::pay)
                .attempt(AskManager.class, this::ask)
                .build();
    }
    // endregion

    /** Books, and does not come back before it is killed: a bank that is slow. */
    private String pay(Pay pay, ToolContext context) throws IOException, InterruptedException {
        String receipt = "R-1 of " + pay.cents() + " cents to " + pay.to();
        Files.writeString(bank.resolve(context.idempotencyKey().value()), receipt);
        System.out.println("booked");
        Thread.sleep(Long.MAX_VALUE);
        return receipt;
    }

    /** Sends its key to a manager who loses it. */
    private ToolResult<String> ask(AskManager ask, ToolContext context) {
        context.completionKey();
        return ToolResult.pending();
    }
}
