package dev.belay.tool.declare;

import dev.belay.BelayException;
import dev.belay.generated.Companion;
import dev.belay.generated.Companions;
import dev.belay.schema.Names;
import dev.belay.schema.shape.ReflectedType;
import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeHash;
import dev.belay.schema.shape.ShapeMapper;
import dev.belay.tool.Nested;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads tools off classes: a sealed interface marked {@link Tools}, or one record, enum or sealed interface that is a
 * {@link ToolInput}. The members of a set share the set's companion. What was read is remembered on the class.
 */
public final class DeclaredTools {

    private static final ClassValue<Map<Class<?>, ToolDefinition>> KNOWN = new ClassValue<>() {
        @Override
        protected Map<Class<?>, ToolDefinition> computeValue(Class<?> owner) {
            return read(owner);
        }
    };

    private record Member(Class<?> type, Shape input, Shape output) {}

    private DeclaredTools() {}

    public static ToolDefinition definition(Class<?> tool) {
        ToolDefinition definition = KNOWN.get(owner(tool)).get(tool);
        if (definition == null) {
            throw new BelayException("not_a_tool", tool.getName()
                    + " is no tool; mark it @Tool and let it implement ToolInput<Output>");
        }
        return definition;
    }

    public static List<ToolDefinition> definitions(Class<?> set) {
        return List.copyOf(membersOf(set).values());
    }

    /** Tools of a set by their class, in declaration order. */
    static Map<Class<?>, ToolDefinition> membersOf(Class<?> set) {
        SetMembers.of(set);
        return KNOWN.get(set);
    }

    /** The set that a tool belongs to, or the tool itself. */
    private static Class<?> owner(Class<?> tool) {
        for (Class<?> parent : tool.getInterfaces()) {
            if (parent.isAnnotationPresent(Tools.class)) {
                return parent;
            }
            Class<?> above = owner(parent);
            if (above.isAnnotationPresent(Tools.class)) {
                return above;
            }
        }
        return tool;
    }

    private static Map<Class<?>, ToolDefinition> read(Class<?> owner) {
        List<Class<?>> types = owner.isAnnotationPresent(Tools.class)
                ? SetMembers.of(owner)
                        .stream()
                        .filter(type -> !type.isAnnotationPresent(Nested.class))
                        .toList()
                : List.of(owner);
        Optional<Companion> found = Companions.of(owner);
        List<Member> members = members(types, found);
        Optional<Companion> companion = found.isEmpty() ? found : Companions.of(owner, hash(members));
        if (companion.isEmpty()) {
            ProcessorNotice.missing(owner);
            if (found.isPresent()) {
                members = members(types, Optional.empty());
            }
        }
        return definitions(owner, members, companion);
    }

    private static String hash(List<Member> members) {
        return ShapeHash.of(members.stream()
                .flatMap(member -> Stream.of(member.input, member.output))
                .toArray(Shape[]::new));
    }

    private static List<Member> members(List<Class<?>> types, Optional<Companion> companion) {
        ReflectedType.Descriptions descriptions = companion.<ReflectedType.Descriptions>map(
                found -> found::description).orElse(ReflectedType.Descriptions.NONE);
        return types.stream()
                .map(type -> new Member(type, input(type, descriptions),
                        ShapeMapper.map(ReflectedType.of(output(type), descriptions))))
                .toList();
    }

    private static Shape input(Class<?> type, ReflectedType.Descriptions descriptions) {
        Shape shape = ShapeMapper.map(ReflectedType.of(type, descriptions));
        return shape instanceof Shape.Choice choice ? TypedDeclaration.constantShape(type, choice) : shape;
    }

    private static Type output(Class<?> type) {
        return OutputType.of(type)
                .orElseThrow(() -> new BelayException("tool_without_output",
                        type.getName()
                                + " says nothing about its output; let it implement ToolInput<Output>, with Void for "
                                + "none, or mark it @Nested if it holds another set"));
    }

    private static Map<Class<?>, ToolDefinition> definitions(Class<?> owner, List<Member> members,
            Optional<Companion> companion) {
        Map<Class<?>, ToolDefinition> definitions = new LinkedHashMap<>();
        Map<String, Class<?>> names = new LinkedHashMap<>();
        for (Member member : members) {
            ToolDefinition definition = definition(owner, member, companion);
            Class<?> before = names.put(definition.name(), member.type);
            if (before != null) {
                throw new BelayException("duplicate_tool_name",
                        "tool name \"" + definition.name() + "\" stands twice: "
                                + before.getName() + " and " + member.type.getName()
                                + "; give one of them another with @Tool(name = \"…\")");
            }
            definitions.put(member.type, definition);
        }
        return definitions;
    }

    private static ToolDefinition definition(Class<?> owner, Member member, Optional<Companion> companion) {
        Tool tool = member.type.getAnnotation(Tool.class);
        String name = tool == null || tool.name().isEmpty()
                ? Names.snakeCase(member.type.getSimpleName())
                : tool.name();
        var draft = new ManifestDraft(name, description(member.input));
        if (tool != null) {
            draft.annotated(tool);
        }
        TypedDeclaration.Form form = member.type.isEnum()
                ? TypedDeclaration.Form.CONSTANT
                : TypedDeclaration.Form.OBJECT;
        var declaration = new TypedDeclaration(member.input, member.output, form,
                TypedDeclaration.loader(owner),
                companion.orElse(null));
        boolean undescribed = tool != null && tool.undescribed();
        return ToolDefinition.declared(draft, declaration, undescribed, BodyNeeds.NOTHING);
    }

    private static String description(Shape input) {
        return switch (input) {
            case Shape.Structure structure -> structure.description();
            case Shape.Union union -> union.description();
            default -> "";
        };
    }
}
