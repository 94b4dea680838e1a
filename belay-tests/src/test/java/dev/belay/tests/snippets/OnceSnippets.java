package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolOutcome.Success;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.Reconciliation;
import java.util.Optional;

/** The code of {@code docs/guides/once.md}. */
final class OnceSnippets {

    private OnceSnippets() {}

    /** A bank that knows keys, a post that does not. */
    interface World {

        int balance(String account);

        String pay(String to, int cents, String key);

        String print(String text);

        Optional<String> printed(String text);
    }

    // region effects
    record Office(World world) {

        /** Reads the balance of an account. */
        @Tool(effect = ToolEffect.READ)
        int balance(String account) {
            return world.balance(account);
        }

        /** Pays. */
        @Tool(effect = ToolEffect.IDEMPOTENT)
        String pay(String to, int cents, ToolContext call) {
            return world.pay(to, cents, call.idempotencyKey().value()); // the bank pays once per key
        }

        /** Prints a letter. */
        @Tool // ONCE
        String print(String text) {
            return world.print(text);
        }
    }
    // endregion

    // region reconciler
    static ToolProvider tools(World world) {
        return ToolMethods.of(new Office(world))
                .customize("print", print -> print.reconciler(call -> world
                        .printed(call.arguments().get("text").orElseThrow().asString())
                        .map(page -> Reconciliation.<ToolOutcome>happened(new Success(Json.string(page))))
                        .orElseGet(Reconciliation::unknown)));
    }
    // endregion
}
