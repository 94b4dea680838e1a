package dev.belay.processor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import javax.annotation.processing.Messager;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;

/**
 * Collects mistakes in one owner and reports them after it was read to its end: an owner that waits for a type is read again. An
 * element that is not being compiled has no position; its mistakes are shown at the owner. Confined to one owner.
 */
final class Reporter {

    private final Messager messager;
    private final TypeElement owner;
    private final Predicate<Element> compiled;
    private final List<Runnable> held = new ArrayList<>();

    Reporter(Messager messager, TypeElement owner, Predicate<Element> compiled) {
        this.messager = messager;
        this.owner = owner;
        this.compiled = compiled;
    }

    /** Reports at an element. */
    void error(Problem problem, Element element, String text) {
        Element place = compiled.test(element) ? element : owner;
        held.add(() -> messager.printMessage(Diagnostic.Kind.ERROR, message(problem, text), place));
    }

    /** Reports at a member of an annotation on an element, for example {@code timeout} of {@code @Tool}. */
    void error(Problem problem, Element element, Class<?> annotation, String member, String text) {
        for (AnnotationMirror mirror : element.getAnnotationMirrors()) {
            boolean wanted = compiled.test(element)
                    && mirror.getAnnotationType().toString().equals(annotation.getName());
            for (var value : mirror.getElementValues().entrySet()) {
                if (wanted && value.getKey().getSimpleName().contentEquals(member)) {
                    held.add(() -> messager.printMessage(Diagnostic.Kind.ERROR, message(problem, text),
                            element, mirror,
                            value.getValue()));
                    return;
                }
            }
        }
        error(problem, element, text);
    }

    /** Whether there is anything to report. */
    boolean failed() {
        return !held.isEmpty();
    }

    /** Passes all mistakes to the compiler. */
    void flush() {
        held.forEach(Runnable::run);
        held.clear();
    }

    private static String message(Problem problem, String text) {
        return "[belay:" + problem.code() + "] " + text;
    }
}
