package dev.belay.tool;

import dev.belay.tool.call.Admission;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.BodyRunner;
import dev.belay.tool.call.Contracts;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.ToolContexts;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Calls tools directly, on the caller's thread: admits the name, reads and validates the arguments, lets the provider prepare,
 * runs the body and says how it ended. For tests of tools, for scripts and for seeing what a model would see. There is no
 * deadline, no retry, no schedule and no journal; a session has those.
 *
 * <p>Thread-safe if the provider is.
 */
public final class ToolCaller {

    private final ToolProvider provider;
    private final Incarnation incarnation;
    private final AtomicLong calls = new AtomicLong();
    private volatile @Nullable Gate gate;

    private record Gate(List<ToolDefinition> definitions, Admission admission) {}

    private ToolCaller(ToolProvider provider, Incarnation incarnation) {
        this.provider = provider;
        this.incarnation = incarnation;
    }

    /** Calls the tools of a provider. */
    public static ToolCaller of(ToolProvider provider) {
        return of(provider, Incarnation.random());
    }

    /** Calls the tools of a provider, with idempotency keys that depend on the given incarnation. */
    public static ToolCaller of(ToolProvider provider, Incarnation incarnation) {
        return new ToolCaller(provider, incarnation);
    }

    /**
     * Calls a tool as a model would.
     *
     * @param name what the model says
     * @param arguments the text it sends
     * @return how the call ended; a mistake of the model is a failure with a code and words for the model
     */
    public ToolOutcome call(String name, String arguments) {
        Admission admission = admission();
        ToolDefinition definition = admission.find(name).orElse(null);
        if (definition == null) {
            return new ToolOutcome.Failure(admission.refusal(name));
        }
        Arguments read;
        try {
            read = definition.arguments(arguments);
        } catch (ToolException noContract) {
            return new ToolOutcome.Failure(noContract.failure());
        }
        return switch (read) {
            case Arguments.Malformed(ToolFailure failure) -> new ToolOutcome.Failure(failure);
            case Arguments.Invalid(ToolFailure failure) -> new ToolOutcome.Failure(failure);
            case Arguments.Valid valid -> run(definition, valid);
        };
    }

    private ToolOutcome run(ToolDefinition definition, Arguments.Valid arguments) {
        long round = calls.getAndIncrement();
        var place = new IdempotencyKey.Place(incarnation, 0, round, 0);
        return ToolContexts.plain(CallId.of(round, 0), place, definition.id(), HostValues.NONE,
                context -> run(definition, arguments, context));
    }

    private ToolOutcome run(ToolDefinition definition, Arguments.Valid arguments, ToolContext context) {
        return BodyRunner.runPlain(definition,
                () -> provider.execute(PreparedCall.prepare(provider, definition, arguments, context)));
    }

    /** The gate for the provider's tools, made again only when they change. */
    private Admission admission() {
        Gate known = gate;
        List<ToolDefinition> definitions = Contracts.of(provider,
                known == null ? List.of() : known.definitions);
        if (known == null || !known.definitions.equals(definitions)) {
            known = new Gate(definitions, Admission.of(definitions, List.of()));
            gate = known;
        }
        return known.admission;
    }
}
