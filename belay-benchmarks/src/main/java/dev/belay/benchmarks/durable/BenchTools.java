package dev.belay.benchmarks.durable;

import dev.belay.json.Json;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolBody;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.RetryAdvice;
import dev.belay.tool.option.RetryPolicy;
import dev.belay.tool.option.Scheduling;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Tools with only the work to be measured, one of each kind. */
final class BenchTools implements ToolProvider {

    /** How long a call of {@code nap} blocks. */
    static final Duration NAP = Duration.ofMillis(50);

    private static final RetryPolicy AT_ONCE = new RetryPolicy(2, Duration.ZERO, 1, Duration.ZERO);

    /**
     * The arguments of every tool.
     *
     * @param n tells calls apart
     */
    record In(int n) {}

    private final StaticToolProvider.Builder tools = StaticToolProvider.builder();
    private final Set<Integer> failed = ConcurrentHashMap.newKeySet();
    private final Set<String> tokens = ConcurrentHashMap.newKeySet();
    private final StaticToolProvider all;

    BenchTools() {
        add(tool("look").effect(ToolEffect.READ), (in, context) -> "seen");
        add(tool("look_in_turn").effect(ToolEffect.READ).scheduling(Scheduling.SERIAL),
                (in, context) -> "seen");
        add(tool("look_alone").effect(ToolEffect.READ).exclusive("thing:{n}"), (in, context) -> "seen");
        add(tool("look_twice").effect(ToolEffect.READ).retry(AT_ONCE), this::failOnce);
        add(tool("nap").effect(ToolEffect.READ), (in, context) -> {
            Thread.sleep(NAP);
            return "rested";
        });
        add(tool("put").effect(ToolEffect.IDEMPOTENT), (in, context) -> "put");
        add(tool("put_in_turn").effect(ToolEffect.IDEMPOTENT).scheduling(Scheduling.SERIAL),
                (in, context) -> "put");
        add(tool("put_prepared").effect(ToolEffect.IDEMPOTENT), (in, context) -> "put");
        add(tool("put_with_key").effect(ToolEffect.IDEMPOTENT),
                (in, context) -> context.completionKey().id());
        add(tool("pay"), (in, context) -> "paid");
        add(tool("pay_alone").exclusive("thing:{n}"), (in, context) -> "paid");
        add(tool("ask").effect(ToolEffect.READ), this::ask);
        add(tool("steps").resumable(true), (in, context) -> steps(in, context, ToolEffect.READ));
        add(tool("steps_once").resumable(true), (in, context) -> steps(in, context, ToolEffect.ONCE));
        all = tools.build();
    }

    static ToolDefinition tool(String name) {
        return ToolDefinition.typed(In.class, String.class, name, "Does what its name says.");
    }

    private void add(ToolDefinition definition, ToolBody<In, ?> body) {
        tools.tool(definition, In.class, body);
    }

    /** The keys of all calls that asked. */
    Set<String> tokens() {
        return tokens;
    }

    private ToolResult<String> failOnce(In in, ToolContext context) {
        return failed.add(in.n())
                ? ToolResult.failure(ToolFailure.of("not yet").withRetry(RetryAdvice.ALLOWED))
                : ToolResult.ok("seen");
    }

    private ToolResult<String> ask(In in, ToolContext context) {
        tokens.add(context.completionKey().token());
        return ToolResult.pending();
    }

    private static String steps(In in, ToolContext context, ToolEffect effect) {
        for (int i = 0; i < in.n(); i++) {
            context.durable().run("step-" + i, Json.number(i), effect, input -> input);
        }
        return "done";
    }

    @Override
    public List<ToolDefinition> definitions() {
        return all.definitions();
    }

    @Override
    public PrepareCall.Prepared prepare(PrepareCall call) {
        return call.definition().name().equals("put_prepared")
                ? call.freeze(Json.string("frozen"))
                : call.unchanged();
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        return all.execute(call);
    }
}
