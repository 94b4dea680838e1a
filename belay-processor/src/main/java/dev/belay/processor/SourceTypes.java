package dev.belay.processor;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/**
 * Answers questions about the types that one owner uses, and records the classes whose shapes were read. Types are compared by
 * name, because some of them belong to modules that depend on this one. Confined to one owner.
 */
final class SourceTypes {

    private static final String TOOL_INPUT = "dev.belay.tool.ToolInput";

    private final Elements elements;
    private final Types types;
    private final Map<String, TypeElement> shown = new LinkedHashMap<>();

    SourceTypes(Elements elements, Types types) {
        this.elements = elements;
        this.types = types;
    }

    /** The class of a type, which must exist. */
    TypeElement element(TypeMirror type) {
        demandResolved(type);
        if (type instanceof DeclaredType declared && declared.asElement() instanceof TypeElement element) {
            return element;
        }
        throw new UnresolvedTypeException(type.toString());
    }

    /** Throws if a type does not exist. */
    static void demandResolved(TypeMirror type) {
        if (type.getKind() == TypeKind.ERROR) {
            throw new UnresolvedTypeException(type.toString());
        }
    }

    /** Records a class whose shape the owner's tools contain. */
    void show(TypeElement element) {
        shown.putIfAbsent(binaryName(element), element);
    }

    /** The recorded classes, in order of first appearance. */
    Collection<TypeElement> shown() {
        return shown.values();
    }

    /** {@code p.Outer$Inner}. */
    String binaryName(TypeElement element) {
        return elements.getBinaryName(element).toString();
    }

    /** Whether a type is the class of that binary name. */
    boolean is(TypeMirror type, String binaryName) {
        demandResolved(type);
        return type.getKind() == TypeKind.DECLARED && binaryName(element(type)).equals(binaryName);
    }

    /** Whether a type is the class of that binary name, or is derived from it. */
    boolean extendsType(TypeMirror type, String binaryName) {
        return is(type, binaryName) || (type.getKind() == TypeKind.DECLARED
                && types.directSupertypes(type).stream().anyMatch(above -> extendsType(above, binaryName)));
    }

    /** The name and erased parameter types of a method: {@code refund(p.Tenant,long)}. */
    String methodKey(ExecutableElement method) {
        return method.getParameters()
                .stream()
                .map(parameter -> erasedName(parameter.asType()))
                .collect(Collectors.joining(",", method.getSimpleName() + "(", ")"));
    }

    private String erasedName(TypeMirror type) {
        demandResolved(type);
        TypeMirror erased = types.erasure(type);
        if (erased instanceof ArrayType array) {
            return erasedName(array.getComponentType()) + "[]";
        }
        return erased.getKind() == TypeKind.DECLARED ? binaryName(element(erased)) : keyword(erased);
    }

    /** The type as a cast in generated code names it: erased, without annotations. */
    String castName(TypeMirror type) {
        TypeMirror erased = types.erasure(type);
        if (erased instanceof ArrayType array) {
            return castName(array.getComponentType()) + "[]";
        }
        return erased.getKind() == TypeKind.DECLARED
                ? element(erased).getQualifiedName().toString()
                : keyword(erased);
    }

    /** The name of a primitive type; {@code toString} would include its annotations. */
    private static String keyword(TypeMirror primitive) {
        return primitive.getKind().name().toLowerCase(Locale.ROOT);
    }

    /** {@code ToolInput<O>} as a class implements it, directly or through its supertypes. */
    Optional<DeclaredType> toolInput(TypeMirror type) {
        if (is(type, TOOL_INPUT)) {
            return Optional.of((DeclaredType) type);
        }
        return parents(type).stream().flatMap(parent -> toolInput(parent).stream()).findFirst();
    }

    /** The direct supertypes. Throws if one does not exist: the compiler leaves those out. */
    private List<? extends TypeMirror> parents(TypeMirror type) {
        TypeElement element = element(type);
        demandResolved(element.getSuperclass());
        element.getInterfaces().forEach(SourceTypes::demandResolved);
        return types.directSupertypes(type);
    }

    /** Whether one of the supertypes of a class carries an annotation. */
    boolean inherits(TypeElement element, Class<? extends java.lang.annotation.Annotation> annotation) {
        return parents(element.asType()).stream()
                .map(this::element)
                .anyMatch(
                        parent -> parent.getAnnotation(annotation) != null || inherits(parent, annotation));
    }

    /** The class of an element that no other class encloses. */
    static Element topLevel(Element element) {
        Element at = element;
        while (at.getEnclosingElement() != null
                && at.getEnclosingElement().getKind() != ElementKind.PACKAGE) {
            at = at.getEnclosingElement();
        }
        return at;
    }

    /** Whether a class or one around it is private. */
    static boolean isPrivate(TypeElement element) {
        for (Element at = element; at instanceof TypeElement; at = at.getEnclosingElement()) {
            if (at.getModifiers().contains(Modifier.PRIVATE)) {
                return true;
            }
        }
        return false;
    }

    /** Whether code in the package and module of {@code from} may name the erasure of a type. */
    boolean isReachable(TypeMirror type, TypeElement from) {
        TypeMirror erased = types.erasure(type);
        if (erased instanceof ArrayType array) {
            return isReachable(array.getComponentType(), from);
        }
        return erased.getKind() != TypeKind.DECLARED || isReachable(element(erased), from);
    }

    private boolean isReachable(TypeElement type, TypeElement from) {
        if (isPrivate(type)) {
            return false;
        }
        if (elements.getPackageOf(type).equals(elements.getPackageOf(from))) {
            return true;
        }
        for (Element at = type; at instanceof TypeElement; at = at.getEnclosingElement()) {
            if (!at.getModifiers().contains(Modifier.PUBLIC)) {
                return false;
            }
        }
        var module = elements.getModuleOf(from);
        return module == null || elements.getTypeElement(module, type.getQualifiedName()) != null;
    }
}
