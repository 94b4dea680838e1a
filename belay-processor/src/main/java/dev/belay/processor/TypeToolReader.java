package dev.belay.processor;

import dev.belay.schema.shape.Shape;
import dev.belay.schema.shape.ShapeMapper;
import dev.belay.schema.shape.UnsupportedTypeException;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;

/** Reads a tool that is a record, a sealed interface or an enum. Confined to one owner. */
final class TypeToolReader {

    private final SourceTypes types;
    private final Reporter reporter;
    private final ToolChecks checks;

    TypeToolReader(OwnerContext context) {
        this.types = context.types();
        this.reporter = context.reporter();
        this.checks = new ToolChecks(context);
    }

    /** Whether the kind of an element can be the input of one tool. */
    static boolean canBeTool(TypeElement element) {
        return element.getKind() == ElementKind.RECORD || element.getKind() == ElementKind.ENUM
                || isSealedInterface(element);
    }

    /** Whether an element is a sealed interface. */
    static boolean isSealedInterface(TypeElement element) {
        return element.getKind() == ElementKind.INTERFACE
                && element.getModifiers().contains(Modifier.SEALED);
    }

    /** The shapes of a tool; empty if it has mistakes, which are reported. */
    Optional<ToolShapes> read(TypeElement element) {
        checks.check(element);
        Optional<DeclaredType> declared = types.toolInput(element.asType());
        if (!isWellDeclared(element, declared)) {
            return Optional.empty();
        }
        Optional<Shape> input = input(element);
        input.ifPresent(shape -> checks.exclusive(element, shape));
        return input
                .flatMap(in -> output(element, declared.orElseThrow()).map(out -> new ToolShapes(in, out)));
    }

    private boolean isWellDeclared(TypeElement element, Optional<DeclaredType> declared) {
        String name = element.getSimpleName().toString();
        if (declared.isEmpty()) {
            reporter.error(Problem.TOOL_WITHOUT_OUTPUT, element, name
                    + " does not say what it returns; add \"implements ToolInput<…>\" with the output type (Void for "
                    + "nothing)" + (element.getKind() == ElementKind.RECORD
                            ? ", or mark it @Nested if it holds another set"
                            : ""));
        } else if (declared.get().getTypeArguments().isEmpty()) {
            reporter.error(Problem.RAW_TOOL_OUTPUT, element, name
                    + " implements ToolInput without type argument; write ToolInput<…> with the output type (Void for "
                    + "nothing)");
        }
        if (SourceTypes.isPrivate(element)) {
            reporter.error(Problem.PRIVATE_TOOL_TYPE, element, name
                    + " is private or stands in a private class, where generated code cannot reach it; make it "
                    + "package-private or more");
        }
        boolean generic = !element.getTypeParameters().isEmpty();
        if (generic) {
            reporter.error(Problem.GENERIC_TOOL_TYPE, element, name
                    + " has type parameters, which a model cannot choose; declare one tool for each concrete type");
        }
        return declared.isPresent() && !declared.get().getTypeArguments().isEmpty() && !generic;
    }

    private Optional<Shape> input(TypeElement element) {
        MirroredType type = MirroredType.of(element, types);
        return map(type, element).map(shape -> shape instanceof Shape.Choice choice
                ? new Shape.Structure(choice.typeName(), choice.typeName(), type.simpleName(),
                        List.of(new Shape.Field("type", choice.typeName(),
                                new Shape.Choice(choice.typeName(), choice.constants(), ""), "")),
                        choice.description())
                : shape);
    }

    private Optional<Shape> output(TypeElement element, DeclaredType toolInput) {
        return map(MirroredType.plain(toolInput.getTypeArguments().get(0), types), element);
    }

    private Optional<Shape> map(MirroredType type, Element element) {
        try {
            return Optional.of(ShapeMapper.map(type));
        } catch (UnsupportedTypeException e) {
            reporter.error(Problem.UNSUPPORTED_TYPE, UnsupportedPlace.of(type, element),
                    e.problem() + "; " + e.suggestion());
            return Optional.empty();
        }
    }
}
