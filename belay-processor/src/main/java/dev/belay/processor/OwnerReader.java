package dev.belay.processor;

import dev.belay.tool.Tool;
import dev.belay.tool.Tools;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;

/** Reads an owner of tools: a set, a single type or a class with methods. Confined to one owner. */
final class OwnerReader {

    private final OwnerContext context;
    private final TypeElement owner;
    private final SourceTypes types;

    OwnerReader(OwnerContext context) {
        this.context = context;
        this.owner = context.owner();
        this.types = context.types();
    }

    /** The content of the companion; empty if a mistake was reported. */
    Optional<OwnerModel> read() {
        Map<String, ExecutableElement> methods = MethodReader.methods(owner, types);
        List<ToolShapes> tools;
        if (owner.getAnnotation(Tools.class) != null) {
            refuse(methods);
            tools = new SetReader(context).read();
        } else if (owner.getAnnotation(Tool.class) != null) {
            refuse(methods);
            tools = typeTool();
        } else {
            tools = new MethodReader(context).read();
        }
        if (context.reporter().failed()) {
            return Optional.empty();
        }
        var descriptions = new LinkedHashMap<>(context.descriptions().ofTypes());
        methods.values().forEach(method -> descriptions.putAll(context.descriptions().ofMethod(method)));
        List<TypeElement> records = types.shown().stream().filter(this::canAccess).toList();
        return Optional
                .of(new OwnerModel(owner, types.binaryName(owner), ToolShapes.hash(tools), descriptions,
                        records, methods));
    }

    private List<ToolShapes> typeTool() {
        if (!TypeToolReader.canBeTool(owner)) {
            context.reporter()
                    .error(Problem.NOT_A_TOOL_TYPE, owner, owner.getSimpleName()
                            + " is marked @Tool but cannot be one; @Tool stands on a method, or on a record, enum or sealed "
                            + "interface that implements ToolInput<…>");
            return List.of();
        }
        return new TypeToolReader(context).read(owner).stream().toList();
    }

    private void refuse(Map<String, ExecutableElement> methods) {
        for (ExecutableElement method : methods.values()) {
            context.reporter()
                    .error(Problem.NOT_A_TOOL_TYPE, method, method.getSimpleName()
                            + " is a @Tool method of " + owner.getSimpleName()
                            + ", which declares tools by its type; move the method to a class of its own");
        }
    }

    /** Whether generated code can reach a record; others are left to reflection. */
    private boolean canAccess(TypeElement type) {
        return type.getKind() == ElementKind.RECORD && types.isReachable(type.asType(), owner)
                && type.getRecordComponents()
                        .stream()
                        .allMatch(component -> types.isReachable(component.asType(), owner));
    }
}
