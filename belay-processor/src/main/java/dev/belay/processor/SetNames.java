package dev.belay.processor;

import dev.belay.tool.Nested;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.lang.model.element.TypeElement;

/** Checks that all names of a set differ, including those of nested sets with their prefixes. Confined to one owner. */
final class SetNames {

    private final SourceTypes types;
    private final Reporter reporter;
    private final Map<String, TypeElement> taken = new HashMap<>();
    private final List<String> path = new ArrayList<>();

    SetNames(OwnerContext context) {
        this.types = context.types();
        this.reporter = context.reporter();
    }

    /** Checks a set. */
    void check(TypeElement set) {
        path.add(types.binaryName(set));
        for (TypeElement member : SetReader.members(set, types)) {
            visit(member, "", member);
        }
    }

    /** Mistakes inside a nested set are shown at {@code place}, the record of this set that holds it. */
    private void visit(TypeElement member, String prefix, TypeElement place) {
        Nested nested = member.getAnnotation(Nested.class);
        if (nested == null) {
            if (SetReader.isTool(member)) {
                take(prefix, member, place);
            }
            return;
        }
        Optional<TypeElement> set = SetReader.nestedSet(member, types);
        if (set.isEmpty()) {
            return;
        }
        String name = types.binaryName(set.get());
        if (name.equals(path.get(0))) {
            reporter.error(Problem.NESTED_CYCLE, place, "set " + name + " contains itself: "
                    + String.join(" -> ", path) + " -> " + name + "; take one of these out");
        } else if (!path.contains(name)) {
            path.add(name);
            for (TypeElement inner : SetReader.members(set.get(), types)) {
                visit(inner, prefix + nested.prefix(), place);
            }
            path.remove(path.size() - 1);
        }
    }

    private void take(String prefix, TypeElement tool, TypeElement place) {
        String own = ToolChecks.nameOf(tool);
        String name = prefix + own;
        if (ToolChecks.isLegalName(own) && !ToolChecks.isLegalName(name)) {
            reporter.error(Problem.ILLEGAL_TOOL_NAME, place, Nested.class, "prefix",
                    "\"" + name + "\", made of prefix \""
                            + prefix + "\" and \"" + own
                            + "\", is not a tool name; use 1 to 64 of the characters a-z, A-Z, 0-9, "
                            + "_ and - in all");
        }
        TypeElement before = taken.putIfAbsent(name, tool);
        if (before != null) {
            reporter.error(Problem.DUPLICATE_TOOL_NAME, place, "\"" + name + "\" is the name of both "
                    + before.getQualifiedName() + " and " + tool.getQualifiedName()
                    + "; names must differ within a set, so give one of them @Tool(name = \"…\")"
                    + (tool.equals(place) ? "" : " or the nested set @Nested(prefix = \"…\")"));
        }
    }
}
