package dev.belay.processor;

import dev.belay.tool.Nested;
import dev.belay.tool.Tool;
import dev.belay.tool.Tools;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/** Reads a sealed interface marked {@code @Tools}. Confined to one owner. */
final class SetReader {

    private static final String DYNAMIC = "dev.belay.tool.Dynamic";

    private final OwnerContext context;
    private final SourceTypes types;
    private final Reporter reporter;

    SetReader(OwnerContext context) {
        this.context = context;
        this.types = context.types();
        this.reporter = context.reporter();
    }

    /** The shapes of the set's own tools, in order; those with mistakes are left out and reported. */
    List<ToolShapes> read() {
        TypeElement set = context.owner();
        if (!isWellDeclared(set)) {
            return List.of();
        }
        var reader = new TypeToolReader(context);
        List<ToolShapes> tools = new ArrayList<>();
        for (TypeElement member : members(set, types)) {
            if (member.getAnnotation(Nested.class) != null) {
                checkNested(member);
            } else if (isTool(member)) {
                reader.read(member).ifPresent(tools::add);
            } else {
                reporter.error(Problem.NOT_A_TOOL_TYPE, member, member.getSimpleName()
                        + " is part of the set "
                        + set.getSimpleName()
                        + " but is no tool; make it a record that implements ToolInput<…>, mark "
                        + "an enum or sealed interface @Tool, or make it a sealed interface that groups tools");
            }
        }
        new SetNames(context).check(set);
        return tools;
    }

    private boolean isWellDeclared(TypeElement set) {
        if (!TypeToolReader.isSealedInterface(set)) {
            reporter.error(Problem.TOOLS_NOT_SEALED, set, set.getSimpleName()
                    + " is marked @Tools but is not a sealed interface; write \"sealed interface "
                    + set.getSimpleName()
                    + "\" with its tools as records in it, so that a switch over them is complete");
            return false;
        }
        if (set.getAnnotation(Tool.class) != null) {
            reporter.error(Problem.NOT_A_TOOL_TYPE, set, set.getSimpleName()
                    + " is marked @Tools and @Tool; keep @Tools for a set of tools or @Tool for one tool with variants");
            return false;
        }
        if (!set.getTypeParameters().isEmpty()) {
            reporter.error(Problem.GENERIC_TOOL_TYPE, set, set.getSimpleName()
                    + " has type parameters, which a model cannot choose; declare one set for each concrete type");
            return false;
        }
        if (SourceTypes.isPrivate(set)) {
            reporter.error(Problem.PRIVATE_TOOL_TYPE, set, set.getSimpleName()
                    + " is private or stands in a private class, where generated code cannot reach it; make it "
                    + "package-private or more");
        }
        return true;
    }

    /** The members of a set, valid or not: its permitted subtypes in order, each once, with groups replaced by their members. */
    static Set<TypeElement> members(TypeElement set, SourceTypes types) {
        var members = new LinkedHashSet<TypeElement>();
        collect(set, types, members);
        return members;
    }

    private static void collect(TypeElement group, SourceTypes types, Set<TypeElement> members) {
        for (TypeMirror permitted : group.getPermittedSubclasses()) {
            TypeElement member = types.element(permitted);
            boolean groups = TypeToolReader.isSealedInterface(member)
                    && member.getAnnotation(Tool.class) == null
                    && member.getAnnotation(Nested.class) == null;
            if (groups) {
                collect(member, types, members);
            } else {
                members.add(member);
            }
        }
    }

    /** Whether a member is a tool of its own; a record is one also without {@code @Tool}. */
    static boolean isTool(TypeElement member) {
        return member.getKind() == ElementKind.RECORD
                || (member.getAnnotation(Tool.class) != null && TypeToolReader.canBeTool(member));
    }

    private void checkNested(TypeElement member) {
        if (member.getAnnotation(Tool.class) != null || types.toolInput(member.asType()).isPresent()) {
            badNested(member, "is also a tool; keep either @Nested or ToolInput");
        } else if (nestedSet(member, types).isEmpty() && !isDynamic(member)) {
            badNested(member,
                    "does not hold exactly one set; write a record with one component whose type is an "
                            + "interface marked @Tools, or Dynamic for tools known only at run time");
        } else if (SourceTypes.isPrivate(member)) {
            reporter.error(Problem.PRIVATE_TOOL_TYPE, member, member.getSimpleName()
                    + " is private or stands in a private class; make it package-private or more");
        } else {
            types.show(member);
        }
    }

    private void badNested(TypeElement member, String why) {
        reporter.error(Problem.BAD_NESTED, member, member.getSimpleName() + " is marked @Nested but " + why);
    }

    /** The set that a nested record holds. */
    static Optional<TypeElement> nestedSet(TypeElement member, SourceTypes types) {
        return onlyComponent(member).filter(type -> type.getKind() == TypeKind.DECLARED)
                .map(types::element)
                .filter(set -> set.getAnnotation(Tools.class) != null);
    }

    private boolean isDynamic(TypeElement member) {
        return onlyComponent(member).filter(type -> types.is(type, DYNAMIC)).isPresent();
    }

    private static Optional<TypeMirror> onlyComponent(TypeElement member) {
        List<? extends RecordComponentElement> components = member.getRecordComponents();
        if (member.getKind() != ElementKind.RECORD || components.size() != 1) {
            return Optional.empty();
        }
        TypeMirror type = components.get(0).asType();
        SourceTypes.demandResolved(type);
        return Optional.of(type);
    }
}
