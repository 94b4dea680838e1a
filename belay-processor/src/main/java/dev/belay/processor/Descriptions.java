package dev.belay.processor;

import dev.belay.schema.Description;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.util.Elements;

/**
 * Reads the Javadoc of an owner's own top-level file. Javadoc of other files does not count: the compiler cannot see it when it
 * compiles this file alone. Confined to one owner.
 */
final class Descriptions {

    private final Elements elements;
    private final SourceTypes types;
    private final Element file;
    private final Map<Element, DocComment> comments = new HashMap<>();

    Descriptions(Elements elements, SourceTypes types, TypeElement owner) {
        this.elements = elements;
        this.types = types;
        this.file = SourceTypes.topLevel(owner);
    }

    /** Whether {@code @Description} or Javadoc of this file describes an element. */
    boolean describes(Element element) {
        Description own = element.getAnnotation(Description.class);
        return own == null ? !comment(element).text().isEmpty() : !own.value().isBlank();
    }

    /** Texts of the records, enums and sealed types that were shown, by key. {@code @Description} is left to reflection. */
    Map<String, String> ofTypes() {
        var texts = new LinkedHashMap<String, String>();
        for (TypeElement type : types.shown()) {
            boolean described = type.getKind() == ElementKind.RECORD || type.getKind() == ElementKind.ENUM
                    || type.getModifiers().contains(Modifier.SEALED);
            if (described) {
                String key = types.binaryName(type);
                put(texts, key, type, comment(type).text());
                for (RecordComponentElement component : type.getRecordComponents()) {
                    put(texts, key + "#" + component.getSimpleName(), component,
                            param(type, component.getSimpleName().toString()));
                }
            }
        }
        return texts;
    }

    /** Texts of a method and its parameters, by key. */
    Map<String, String> ofMethod(ExecutableElement method) {
        var texts = new LinkedHashMap<String, String>();
        String key = "#" + types.methodKey(method);
        put(texts, key, method, comment(method).text());
        for (VariableElement parameter : method.getParameters()) {
            put(texts, key + "#" + parameter.getSimpleName(), parameter,
                    param(method, parameter.getSimpleName().toString()));
        }
        return texts;
    }

    private static void put(Map<String, String> texts, String key, Element element, String text) {
        if (!text.isEmpty() && element.getAnnotation(Description.class) == null) {
            texts.put(key, text);
        }
    }

    private String param(Element element, String name) {
        return comment(element).params().getOrDefault(name, "");
    }

    private DocComment comment(Element element) {
        if (!SourceTypes.topLevel(element).equals(file)) {
            return DocComment.NONE;
        }
        return comments.computeIfAbsent(element, key -> DocComment.of(elements.getDocComment(key)));
    }
}
