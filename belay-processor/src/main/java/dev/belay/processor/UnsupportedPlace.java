package dev.belay.processor;

import dev.belay.schema.shape.ShapeMapper;
import dev.belay.schema.shape.TypeView;
import dev.belay.schema.shape.UnsupportedTypeException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import org.jspecify.annotations.Nullable;

/** Finds the innermost element whose type has no schema. Confined to one search. */
final class UnsupportedPlace {

    private final Set<String> visited = new HashSet<>();

    private UnsupportedPlace() {}

    /** The component or variant without a schema, or {@code start} if it is the type itself. */
    static Element of(TypeView type, Element start) {
        Element found = new UnsupportedPlace().search(type, start);
        return found == null ? start : found;
    }

    /** The parameter without a schema or an element inside its type, or {@code method} if no single one is wrong. */
    static Element of(List<TypeView.Member> members, List<? extends Element> parameters, Element method) {
        for (int i = 0; i < members.size(); i++) {
            Element found = new UnsupportedPlace().search(members.get(i).type(), parameters.get(i));
            if (found != null) {
                return found;
            }
        }
        return method;
    }

    /** The element, or null if the type has a schema or an outer search is looking at it. */
    private @Nullable Element search(TypeView type, Element at) {
        if (isFine(type)) {
            return null;
        }
        TypeElement element = type instanceof MirroredType mirrored ? mirrored.element() : null;
        if (element == null) {
            return at;
        }
        boolean nested = type.form() == TypeView.Form.RECORD || type.form() == TypeView.Form.SEALED;
        if (nested && !visited.add(type.name())) {
            return null;
        }
        Element inner = switch (type.form()) {
            case RECORD -> component(type.components(), element);
            case SEALED -> variant(type.permitted());
            default -> argument(type.arguments(), at);
        };
        return inner == null ? at : inner;
    }

    private @Nullable Element component(List<TypeView.Member> components, TypeElement record) {
        for (int i = 0; i < components.size(); i++) {
            Element found = search(components.get(i).type(), record.getRecordComponents().get(i));
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable Element variant(List<TypeView> variants) {
        for (TypeView variant : variants) {
            TypeElement element = ((MirroredType) variant).element();
            Element found = element == null ? null : search(variant, element);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable Element argument(List<TypeView> arguments, Element at) {
        for (TypeView argument : arguments) {
            Element found = search(argument, at);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static boolean isFine(TypeView type) {
        try {
            ShapeMapper.map(type);
            return true;
        } catch (UnsupportedTypeException e) {
            return false;
        }
    }
}
