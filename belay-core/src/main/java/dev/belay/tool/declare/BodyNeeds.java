package dev.belay.tool.declare;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a body needs beside its arguments.
 *
 * @param hostValues types of values that the host supplies
 * @param runtimeContexts types of contexts that only a session of the runtime has
 */
public record BodyNeeds(List<Class<?>> hostValues, List<Class<?>> runtimeContexts) {

    /** The arguments are enough. */
    public static final BodyNeeds NOTHING = new BodyNeeds(List.of(), List.of());

    /** The needs of a body that asks for further contexts. */
    public BodyNeeds plus(List<Class<?>> contexts) {
        return new BodyNeeds(hostValues,
                Stream.concat(runtimeContexts.stream(), contexts.stream()).distinct().toList());
    }

    /** The needs once the provider supplies a value itself. */
    public BodyNeeds without(Class<?> type) {
        return new BodyNeeds(hostValues.stream().filter(needed -> needed != type).toList(), runtimeContexts);
    }
}
