package dev.belay.runtime.catalog.registry;

import dev.belay.BelayException;
import dev.belay.runtime.catalog.ToolSource;
import dev.belay.schema.Wording;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.Contracts;
import dev.belay.tool.context.Suspended;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One source as it was last read.
 *
 * @param source its name and number
 * @param provider asked for its tools at every look at the registry
 * @param definitions its last answer
 * @param failing whether it threw when it was last asked
 */
public record Source(ToolSource source, ToolProvider provider, List<ToolDefinition> definitions,
        boolean failing) {

    /** Reads a source for the first time; {@code source_unreadable} if the provider throws. */
    public static Source first(ToolSource source, ToolProvider provider) {
        try {
            return new Source(source, provider, ask(provider, List.of()), false);
        } catch (Throwable thrown) {
            letPass(thrown);
            throw new BelayException("source_unreadable", source + " cannot say which tools it has: "
                    + Wording.of(thrown), thrown);
        }
    }

    private static List<ToolDefinition> ask(ToolProvider provider, List<ToolDefinition> known) {
        return Contracts.of(provider, known);
    }

    /** Whether the provider answers as it did when it was last read. */
    boolean isUnchanged() {
        try {
            return isSame(ask(provider, definitions)) && !failing;
        } catch (Throwable thrown) {
            letPass(thrown);
            return failing;
        }
    }

    @SuppressWarnings("ReferenceEquality") // identity of the list or of its definitions is cheap, and a changed tool is a new definition
    private boolean isSame(List<ToolDefinition> now) {
        if (now == definitions) {
            return true;
        }
        int place = 0;
        for (ToolDefinition tool : now) {
            if (place == definitions.size() || tool != definitions.get(place++)) {
                return false;
            }
        }
        return place == definitions.size();
    }

    /** Reads it again. A source that throws keeps its tools. */
    Source read(Consumer<Warning> warnings) {
        try {
            List<ToolDefinition> now = ask(provider, definitions);
            return isSame(now) && !failing ? this : new Source(source, provider, now, false);
        } catch (Throwable thrown) {
            letPass(thrown);
            if (failing) {
                return this;
            }
            warnings.accept(
                    new Warning(source + " cannot say which tools it has; its last known tools are kept",
                            thrown));
            return new Source(source, provider, definitions, true);
        }
    }

    private static void letPass(Throwable thrown) {
        if (thrown instanceof Suspended waiting) {
            throw waiting;
        }
        if (thrown instanceof VirtualMachineError broken && !(thrown instanceof StackOverflowError)) {
            throw broken;
        }
    }

    Stream<LiveTool> tools() {
        return definitions.stream().map(definition -> new LiveTool(definition, source, provider));
    }
}
