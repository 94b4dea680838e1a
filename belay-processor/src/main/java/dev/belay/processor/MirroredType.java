package dev.belay.processor;

import dev.belay.schema.Description;
import dev.belay.schema.Length;
import dev.belay.schema.Pattern;
import dev.belay.schema.Range;
import dev.belay.schema.Size;
import dev.belay.schema.Tag;
import dev.belay.schema.shape.Constraints;
import dev.belay.schema.shape.TypeView;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.AnnotatedConstruct;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.TypeParameterElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import org.jspecify.annotations.Nullable;

/**
 * A type as the compiler shows it: the twin of {@link dev.belay.schema.shape.ReflectedType}, with the same answers to the same
 * questions. A type that does not exist throws {@link UnresolvedTypeException}.
 */
final class MirroredType implements TypeView {

    private static final String NULLABLE = "org.jspecify.annotations.Nullable";

    private final TypeMirror type;
    private final List<TypeView> arguments;
    private final List<AnnotatedConstruct> marks;
    private final SourceTypes types;

    private MirroredType(TypeMirror type, List<TypeView> arguments, List<AnnotatedConstruct> marks,
            SourceTypes types) {
        this.type = type;
        this.arguments = arguments;
        this.marks = marks;
        this.types = types;
    }

    /** Shows a class without type arguments. */
    static MirroredType of(TypeElement element, SourceTypes types) {
        types.show(element);
        return new MirroredType(element.asType(), List.of(), List.of(), types);
    }

    /** Shows a type without any annotation on it or in it, such as {@code O} of {@code ToolInput<O>}. */
    static MirroredType plain(TypeMirror type, SourceTypes types) {
        return show(type, Map.of(), List.of(), false, types);
    }

    /** Shows a type together with the annotations on it and in it. */
    static MirroredType annotated(TypeMirror type, SourceTypes types) {
        return show(type, Map.of(), List.of(type), true, types);
    }

    /** Shows a parameter; annotations on the type come before those on the parameter. */
    static Member member(VariableElement parameter, SourceTypes types) {
        return member(parameter, Map.of(), types);
    }

    private static Member member(Element element, Map<TypeParameterElement, MirroredType> bound,
            SourceTypes types) {
        TypeMirror use = element.asType();
        Description own = element.getAnnotation(Description.class);
        return new Member(element.getSimpleName().toString(),
                show(use, bound, List.of(use, element), true, types), own == null ? "" : own.value());
    }

    private static MirroredType show(TypeMirror use, Map<TypeParameterElement, MirroredType> bound,
            List<AnnotatedConstruct> marks, boolean annotated, SourceTypes types) {
        SourceTypes.demandResolved(use);
        MirroredType value = use instanceof TypeVariable variable
                ? bound.get((TypeParameterElement) variable.asElement())
                : null;
        if (value != null) {
            var all = new ArrayList<>(value.marks);
            all.addAll(marks);
            return new MirroredType(value.type, value.arguments, all, types);
        }
        if (!(use instanceof DeclaredType declared)) {
            return new MirroredType(use, List.of(), marks, types);
        }
        types.show(types.element(use));
        List<TypeView> arguments = new ArrayList<>();
        for (TypeMirror argument : declared.getTypeArguments()) {
            arguments.add(show(argument, bound, annotated ? List.of(argument) : List.of(), annotated, types));
        }
        return new MirroredType(use, List.copyOf(arguments), marks, types);
    }

    /** The class behind it, or null. */
    @Nullable
    TypeElement element() {
        return type instanceof DeclaredType declared ? (TypeElement) declared.asElement() : null;
    }

    @Override
    public Form form() {
        return switch (type.getKind()) {
            case BOOLEAN, BYTE, SHORT, INT, LONG, CHAR, FLOAT, DOUBLE, VOID -> Form.PRIMITIVE;
            case ARRAY -> Form.ARRAY;
            case DECLARED -> form(types.element(type));
            default -> Form.OPEN;
        };
    }

    private static Form form(TypeElement element) {
        if (element.getKind() == ElementKind.RECORD) {
            return Form.RECORD;
        }
        if (element.getKind() == ElementKind.ENUM) {
            return Form.ENUM;
        }
        return element.getModifiers().contains(Modifier.SEALED) ? Form.SEALED : Form.OTHER;
    }

    @Override
    public String name() {
        TypeElement element = element();
        return element == null ? nameless() : types.binaryName(element);
    }

    @Override
    public String simpleName() {
        TypeElement element = element();
        return element == null ? nameless() : element.getSimpleName().toString();
    }

    private String nameless() {
        if (type instanceof TypeVariable variable) {
            return variable.asElement().getSimpleName().toString();
        }
        return form() == Form.OPEN ? type.toString() : types.castName(type);
    }

    @Override
    public List<TypeView> arguments() {
        return arguments;
    }

    @Override
    public List<Member> components() {
        TypeElement element = types.element(type);
        Map<TypeParameterElement, MirroredType> bound = new HashMap<>();
        List<? extends TypeParameterElement> variables = element.getTypeParameters();
        for (int i = 0; i < variables.size() && i < arguments.size(); i++) {
            bound.put(variables.get(i), (MirroredType) arguments.get(i));
        }
        List<Member> members = new ArrayList<>();
        for (RecordComponentElement component : element.getRecordComponents()) {
            members.add(member(component, bound, types));
        }
        return members;
    }

    @Override
    public List<String> constants() {
        return types.element(type)
                .getEnclosedElements()
                .stream()
                .filter(member -> member.getKind() == ElementKind.ENUM_CONSTANT)
                .map(member -> member.getSimpleName().toString())
                .toList();
    }

    @Override
    public List<TypeView> permitted() {
        List<TypeView> variants = new ArrayList<>();
        for (TypeMirror variant : types.element(type).getPermittedSubclasses()) {
            variants.add(of(types.element(variant), types));
        }
        return variants;
    }

    @Override
    public boolean nullable() {
        return marks.stream()
                .flatMap(mark -> mark.getAnnotationMirrors().stream())
                .anyMatch(mark -> types.is(mark.getAnnotationType(), NULLABLE));
    }

    @Override
    public Constraints constraints() {
        return Constraints.of(mark(Range.class), mark(Length.class), mark(Pattern.class), mark(Size.class));
    }

    private <A extends Annotation> @Nullable A mark(Class<A> annotation) {
        for (AnnotatedConstruct construct : marks) {
            A found = construct.getAnnotation(annotation);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    @Override
    public String tagValue() {
        Tag tag = types.element(type).getAnnotation(Tag.class);
        return tag == null ? "" : tag.value();
    }

    @Override
    public String tagProperty() {
        Tag tag = types.element(type).getAnnotation(Tag.class);
        return tag == null ? "type" : tag.property();
    }

    @Override
    public String description() {
        Description own = types.element(type).getAnnotation(Description.class);
        return own == null ? "" : own.value();
    }
}
