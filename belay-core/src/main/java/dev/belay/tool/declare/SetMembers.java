package dev.belay.tool.declare;

import dev.belay.BelayException;
import dev.belay.tool.Tool;
import dev.belay.tool.Tools;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The classes that make up a set of tools. */
public final class SetMembers {

    private SetMembers() {}

    /**
     * Tools and nested places of a sealed interface marked {@link Tools}, in declaration order; sealed interfaces in it that are
     * no tools themselves only group.
     */
    public static List<Class<?>> of(Class<?> set) {
        if (!set.isAnnotationPresent(Tools.class) || !set.isSealed() || !set.isInterface()) {
            throw new BelayException("tools_not_sealed", set.getName()
                    + " is no set of tools; write: @Tools public sealed interface " + set.getSimpleName()
                    + " { … }");
        }
        Set<Class<?>> members = new LinkedHashSet<>();
        collect(set, members);
        return List.copyOf(members);
    }

    private static void collect(Class<?> type, Set<Class<?>> members) {
        for (Class<?> sub : type.getPermittedSubclasses()) {
            if (sub.isRecord() || sub.isEnum() || sub.isAnnotationPresent(Tool.class)) {
                members.add(sub);
            } else if (sub.isSealed()) {
                collect(sub, members);
            } else {
                throw new BelayException("not_a_tool", sub.getName()
                        + " stands in a set of tools but is neither a record, an enum nor a sealed interface");
            }
        }
    }
}
