package dev.belay.tool.declare;

import java.util.List;

/**
 * What a body needs beside its arguments.
 *
 * @param hostValues types of values that the host supplies
 * @param runtimeContexts types of contexts that only a session of the runtime has
 */
public record BodyNeeds(List<Class<?>> hostValues, List<Class<?>> runtimeContexts) {

    /** The arguments are enough. */
    public static final BodyNeeds NOTHING = new BodyNeeds(List.of(), List.of());

    /** The needs once the provider supplies a value itself. */
    public BodyNeeds without(Class<?> type) {
        return new BodyNeeds(hostValues.stream().filter(needed -> needed != type).toList(), runtimeContexts);
    }
}
