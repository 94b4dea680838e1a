package dev.belay.processor;

import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeMapper;
import dev.belay.schema.shape.TypeView;
import dev.belay.schema.shape.UnsupportedTypeException;
import dev.belay.tool.FromHost;
import dev.belay.tool.Tool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;

/** Reads a class whose methods are tools. Confined to one owner. */
final class MethodReader {

    private static final String TOOL_RESULT = "dev.belay.tool.ToolResult";
    private static final String CONTEXT = "dev.belay.tool.ToolContext";

    private final TypeElement owner;
    private final SourceTypes types;
    private final Reporter reporter;
    private final ToolChecks checks;

    MethodReader(OwnerContext context) {
        this.owner = context.owner();
        this.types = context.types();
        this.reporter = context.reporter();
        this.checks = new ToolChecks(context);
    }

    /** Tool methods of a class by key, in the order of their keys, because reflection has no order of declaration. */
    static Map<String, ExecutableElement> methods(TypeElement owner, SourceTypes types) {
        var methods = new TreeMap<String, ExecutableElement>();
        for (ExecutableElement method : ElementFilter.methodsIn(owner.getEnclosedElements())) {
            if (method.getAnnotation(Tool.class) != null) {
                methods.put(types.methodKey(method), method);
            }
        }
        return methods;
    }

    /** The shapes of the tools, in the order of their keys; those with mistakes are left out and reported. */
    List<ToolShapes> read() {
        checkOwner();
        List<ToolShapes> tools = new ArrayList<>();
        var taken = new HashMap<String, String>();
        methods(owner, types).forEach((key, method) -> {
            checks.check(method);
            checkName(method, key, taken);
            checkReach(method);
            Optional<Shape.Structure> input = input(method, key);
            input.ifPresent(shape -> checks.exclusive(method, shape));
            Optional<Shape> output = output(method);
            if (input.isPresent() && output.isPresent()) {
                tools.add(new ToolShapes(input.get(), output.get()));
            }
        });
        return tools;
    }

    private void checkOwner() {
        if (SourceTypes.isPrivate(owner)) {
            reporter.error(Problem.PRIVATE_TOOL_TYPE, owner, owner.getSimpleName()
                    + " has @Tool methods but is private or stands in a private class, where generated code cannot "
                    + "reach it; make it package-private or more");
        }
        if (!owner.getTypeParameters().isEmpty()) {
            reporter.error(Problem.GENERIC_TOOL_TYPE, owner, owner.getSimpleName()
                    + " has @Tool methods and type parameters, which a model cannot choose; move the methods to a class "
                    + "without them");
        }
        if (owner.getEnclosingElement() instanceof TypeElement outer && owner.getKind().isClass()
                && !owner.getModifiers().contains(Modifier.STATIC)) {
            reporter.error(Problem.INNER_CLASS_TOOL, owner, owner.getSimpleName()
                    + " has @Tool methods but belongs to an object of " + outer.getSimpleName()
                    + "; make it static");
        }
    }

    private void checkName(ExecutableElement method, String key, Map<String, String> taken) {
        String name = ToolChecks.nameOf(method);
        String before = taken.putIfAbsent(name, key);
        if (before != null) {
            reporter.error(Problem.DUPLICATE_TOOL_NAME, method,
                    "\"" + name + "\" is the name of both " + before + " and "
                            + key
                            + "; names must differ within a class, so give one of them @Tool(name = \"…\")");
        }
    }

    private void checkReach(ExecutableElement method) {
        String name = method.getSimpleName().toString();
        if (method.getModifiers().contains(Modifier.PRIVATE)) {
            reporter.error(Problem.PRIVATE_TOOL_METHOD, method, name
                    + " is private, so generated code cannot call it; make it package-private or more");
        }
        if (!method.getTypeParameters().isEmpty()) {
            reporter.error(Problem.GENERIC_TOOL_TYPE, method, name
                    + " has type parameters, which a model cannot choose; declare one method for each concrete type");
        }
        for (VariableElement parameter : method.getParameters()) {
            if (!types.isReachable(parameter.asType(), owner)) {
                reporter.error(Problem.PRIVATE_TOOL_TYPE, parameter, "the type of parameter "
                        + parameter.getSimpleName()
                        + " of " + name + " cannot be named in the package of " + owner.getSimpleName()
                        + ", where generated code stands; make it package-private there, or public elsewhere");
            }
        }
    }

    private Optional<Shape.Structure> input(ExecutableElement method, String key) {
        List<VariableElement> parameters = new ArrayList<>();
        for (VariableElement parameter : method.getParameters()) {
            boolean supplied = parameter.getAnnotation(FromHost.class) != null
                    || types.extendsType(parameter.asType(), CONTEXT);
            if (!supplied) {
                parameters.add(parameter);
            }
        }
        List<TypeView.Member> members = parameters.stream()
                .map(parameter -> MirroredType.member(parameter, types))
                .toList();
        try {
            return Optional.of(ShapeMapper.structure(types.binaryName(owner) + "#" + key,
                    method.getSimpleName().toString(), members, ""));
        } catch (UnsupportedTypeException e) {
            reporter.error(Problem.UNSUPPORTED_TYPE, UnsupportedPlace.of(members, parameters, method),
                    e.problem() + "; " + e.suggestion());
            return Optional.empty();
        }
    }

    private Optional<Shape> output(ExecutableElement method) {
        TypeMirror type = method.getReturnType();
        if (types.is(type, TOOL_RESULT)) {
            List<? extends TypeMirror> arguments = ((DeclaredType) type).getTypeArguments();
            if (arguments.isEmpty()) {
                reporter.error(Problem.RAW_TOOL_OUTPUT, method, method.getSimpleName()
                        + " returns ToolResult without type argument; write ToolResult<…> with the output type (Void for "
                        + "nothing)");
                return Optional.empty();
            }
            type = arguments.get(0);
        }
        MirroredType output = MirroredType.annotated(type, types);
        try {
            return Optional.of(ShapeMapper.map(output));
        } catch (UnsupportedTypeException e) {
            reporter.error(Problem.UNSUPPORTED_TYPE, UnsupportedPlace.of(output, method),
                    method.getSimpleName() + " returns: " + e.problem() + "; " + e.suggestion());
            return Optional.empty();
        }
    }
}
