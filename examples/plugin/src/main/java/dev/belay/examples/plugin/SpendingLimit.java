package dev.belay.examples.plugin;

import dev.belay.json.Json;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.plugin.CallHook;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginRegistrar;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.plugin.Slot;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.PluginState;

/**
 * Lets a session pay a sum and no more. A payment that is larger than what is left is lowered to that; when nothing is left, payments are
 * refused. The account is a state of the session: it survives restarts and counts each payment once, also one that failed and may have
 * happened. The tool must be serial: parallel calls of one message all see the account as it was before the message.
 */
public final class SpendingLimit implements PluginFactory {

    static final PluginState<Account, Paid> ACCOUNT = PluginState.of("account", Account.class, new Account(0),
            Paid.class, (account, paid) -> new Account(account.paid() + paid.euros()));

    private final int limit;

    SpendingLimit(int limit) {
        this.limit = limit;
    }

    /** What a session has paid so far. */
    public record Account(int paid) {}

    /** A payment. */
    public record Paid(int euros) {}

    @Override
    public String id() {
        return "spending-limit";
    }

    @Override
    public SessionPlugin build(PluginSession session) {
        return this::register;
    }

    private void register(PluginRegistrar on) {
        on.state(ACCOUNT);
        on.prompt()
                .contribute("account", Slot.VOLATILE,
                        view -> "You may still pay " + (limit - view.get(ACCOUNT).paid()) + " euros.");
        on.toolCalls().before("pay", this::check);
        on.toolCalls().after("pay", (call, outcome) -> {
            if (mayHavePaid(outcome)) {
                call.update(ACCOUNT, new Paid(euros(call)));
                call.emit("account.changed", call.get(ACCOUNT));
            }
            return AfterVerdict.keep();
        });
    }

    private BeforeVerdict check(CallHook.Context call) {
        int left = limit - call.get(ACCOUNT).paid();
        if (left <= 0) {
            return BeforeVerdict.reject("this session has paid its " + limit + " euros");
        }
        return euros(call) <= left
                ? BeforeVerdict.proceed()
                : BeforeVerdict.edit(Json.of("{\"euros\":" + left + "}"));
    }

    private static boolean mayHavePaid(ToolOutcome outcome) {
        return switch (outcome) {
            case ToolOutcome.Success success -> true;
            case ToolOutcome.Failure(ToolFailure failure) -> failure.mayHaveHappened();
            case ToolOutcome.Cancelled cancelled -> true;
            case ToolOutcome.Rejected rejected -> false;
        };
    }

    private static int euros(CallHook.Context call) {
        return call.arguments().get("euros").map(Json::asInt).orElse(0);
    }
}
