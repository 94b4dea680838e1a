package dev.belay.schema.shape;

import dev.belay.schema.Description;
import dev.belay.schema.Length;
import dev.belay.schema.Pattern;
import dev.belay.schema.Range;
import dev.belay.schema.Size;
import dev.belay.schema.Tag;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A type as reflection shows it. Looking needs no access: it works for classes of modules that export and open nothing.
 */
public final class ReflectedType implements TypeView {

    private static final String NULLABLE = "org.jspecify.annotations.Nullable";

    private final Type type;
    private final List<TypeView> arguments;
    private final List<AnnotatedElement> marks;
    private final Descriptions descriptions;

    /** Finds descriptions that reflection cannot see, because they come from Javadoc. */
    @FunctionalInterface
    public interface Descriptions {

        /** No descriptions. */
        Descriptions NONE = key -> "";

        /** The description of a type (its binary name) or of a component ({@code name#component}), or empty. */
        String of(String key);
    }

    private ReflectedType(Type type, List<TypeView> arguments, List<AnnotatedElement> marks,
            Descriptions descriptions) {
        this.type = type;
        this.arguments = arguments;
        this.marks = marks;
        this.descriptions = descriptions;
    }

    /** Shows a type that stands alone, such as a tool's output. */
    public static TypeView of(Type type, Descriptions descriptions) {
        return plain(type, Map.of(), descriptions);
    }

    /** Shows a type together with the annotations on it. */
    public static TypeView of(AnnotatedType type, Descriptions descriptions) {
        return annotated(type, Map.of(), List.of(type), descriptions);
    }

    /** Shows a method's parameter; the name and description come from outside. */
    public static Member member(Parameter parameter, String name, String description,
            Descriptions descriptions) {
        Description own = parameter.getAnnotation(Description.class);
        AnnotatedType type = parameter.getAnnotatedType();
        return new Member(name, annotated(type, Map.of(), List.of(type, parameter), descriptions),
                own == null ? description : own.value());
    }

    private static TypeView annotated(AnnotatedType use, Map<TypeVariable<?>, TypeView> bound,
            List<AnnotatedElement> marks, Descriptions descriptions) {
        if (use.getType() instanceof TypeVariable<?> variable
                && bound.get(variable) instanceof ReflectedType value) {
            var all = new ArrayList<>(value.marks);
            all.addAll(marks);
            return new ReflectedType(value.type, value.arguments, all, descriptions);
        }
        List<TypeView> arguments = use instanceof AnnotatedParameterizedType parameterized
                ? Arrays.stream(parameterized.getAnnotatedActualTypeArguments())
                        .map(argument -> annotated(argument, bound, List.of(argument), descriptions))
                        .toList()
                : List.of();
        return new ReflectedType(use.getType(), arguments, marks, descriptions);
    }

    private static TypeView plain(Type type, Map<TypeVariable<?>, TypeView> bound,
            Descriptions descriptions) {
        if (type instanceof TypeVariable<?> variable && bound.get(variable) instanceof ReflectedType value) {
            return value;
        }
        List<TypeView> arguments = type instanceof ParameterizedType parameterized
                ? Arrays.stream(parameterized.getActualTypeArguments())
                        .map(argument -> plain(argument, bound, descriptions))
                        .toList()
                : List.of();
        return new ReflectedType(type, arguments, List.of(), descriptions);
    }

    @Override
    public Form form() {
        if (type instanceof TypeVariable<?> || type instanceof WildcardType) {
            return Form.OPEN;
        }
        Class<?> raw = raw();
        if (raw.isArray()) {
            return Form.ARRAY;
        }
        if (raw.isPrimitive()) {
            return Form.PRIMITIVE;
        }
        if (raw.isRecord()) {
            return Form.RECORD;
        }
        if (raw.isEnum()) {
            return Form.ENUM;
        }
        return raw.isSealed() ? Form.SEALED : Form.OTHER;
    }

    @Override
    public String name() {
        return form() == Form.OPEN ? type.getTypeName() : raw().getName();
    }

    @Override
    public String simpleName() {
        return form() == Form.OPEN ? type.getTypeName() : raw().getSimpleName();
    }

    @Override
    public List<TypeView> arguments() {
        return arguments;
    }

    @Override
    public List<Member> components() {
        Class<?> raw = raw();
        Map<TypeVariable<?>, TypeView> bound = new HashMap<>();
        TypeVariable<?>[] variables = raw.getTypeParameters();
        for (int i = 0; i < variables.length && i < arguments.size(); i++) {
            bound.put(variables[i], arguments.get(i));
        }
        return Arrays.stream(raw.getRecordComponents()).map(component -> member(component, bound)).toList();
    }

    private Member member(RecordComponent component, Map<TypeVariable<?>, TypeView> bound) {
        AnnotatedType use = component.getAnnotatedType();
        Description own = component.getAnnotation(Description.class);
        String description = own != null
                ? own.value()
                : descriptions.of(component.getDeclaringRecord().getName() + "#" + component.getName());
        return new Member(component.getName(), annotated(use, bound, List.of(use, component), descriptions),
                description);
    }

    @Override
    public List<String> constants() {
        return Arrays.stream(raw().getFields())
                .filter(java.lang.reflect.Field::isEnumConstant)
                .map(java.lang.reflect.Field::getName)
                .toList();
    }

    @Override
    public List<TypeView> permitted() {
        return Arrays.stream(raw().getPermittedSubclasses())
                .map(sub -> plain(sub, Map.of(), descriptions))
                .toList();
    }

    @Override
    public boolean nullable() {
        return marks.stream()
                .flatMap(mark -> Arrays.stream(mark.getAnnotations()))
                .anyMatch(annotation -> annotation.annotationType().getName().equals(NULLABLE));
    }

    @Override
    public Constraints constraints() {
        return Constraints.of(mark(Range.class), mark(Length.class), mark(Pattern.class), mark(Size.class));
    }

    private <A extends Annotation> @Nullable A mark(Class<A> annotation) {
        for (AnnotatedElement element : marks) {
            A found = element.getAnnotation(annotation);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    @Override
    public String tagValue() {
        Tag tag = raw().getAnnotation(Tag.class);
        return tag == null ? "" : tag.value();
    }

    @Override
    public String tagProperty() {
        Tag tag = raw().getAnnotation(Tag.class);
        return tag == null ? "type" : tag.property();
    }

    @Override
    public String description() {
        Description own = raw().getAnnotation(Description.class);
        return own != null ? own.value() : descriptions.of(raw().getName());
    }

    private Class<?> raw() {
        return switch (type) {
            case Class<?> plain -> plain;
            case ParameterizedType parameterized -> (Class<?>) parameterized.getRawType();
            case GenericArrayType array -> Object[].class;
            default -> throw new IllegalStateException("no class behind " + type);
        };
    }
}
