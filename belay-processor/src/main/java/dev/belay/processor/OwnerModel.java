package dev.belay.processor;

import java.util.List;
import java.util.Map;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;

/**
 * The content of a companion.
 *
 * @param type the owner
 * @param binaryName its binary name
 * @param shapeHash hash of the shapes of its tools
 * @param descriptions Javadoc by key, in order
 * @param records records that generated code can construct and read, in order
 * @param methods tool methods by key, in order
 */
record OwnerModel(TypeElement type, String binaryName, String shapeHash, Map<String, String> descriptions,
        List<TypeElement> records, Map<String, ExecutableElement> methods) {}
