package dev.belay.processor;

import dev.belay.generated.Companions;
import dev.belay.tool.Nested;
import dev.belay.tool.Tool;
import dev.belay.tool.Tools;
import java.io.IOException;
import java.io.Writer;
import java.lang.annotation.AnnotationTypeMismatchException;
import java.lang.annotation.IncompleteAnnotationException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.FilerException;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;

/**
 * Writes a companion for every class that declares tools, and reports mistakes at the element with a stable code. Users name it
 * only in their build.
 *
 * <p>Isolating, in Gradle's terms: a companion has one originating element and depends only on types that this element refers to.
 *
 * <p>Confined to the compiler's thread.
 */
public final class BelayProcessor extends AbstractProcessor {

    private final Set<String> compiled = new HashSet<>();
    private final Set<String> finished = new HashSet<>();
    /** Owners that refer to a type which does not exist yet; tried again in every round. */
    private Set<String> waiting = new LinkedHashSet<>();

    /** Creates one; the compiler does. */
    public BelayProcessor() {}

    @Override
    public Set<String> getSupportedAnnotationTypes() {
        return Set.of(Tool.class.getName(), Tools.class.getName(), Nested.class.getName());
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    /** Claims nothing: a claim of all annotations would keep the compiler from calling the processors after this one. */
    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        for (Element root : round.getRootElements()) {
            compiled.add(root.toString());
        }
        Set<String> names = waiting;
        waiting = new LinkedHashSet<>();
        if (round.processingOver()) {
            return false;
        }
        Set<TypeElement> owners = new LinkedHashSet<>();
        for (String name : names) {
            TypeElement owner = processingEnv.getElementUtils().getTypeElement(name);
            if (owner != null) {
                owners.add(owner);
            }
        }
        collect(round, owners);
        owners.forEach(this::guarded);
        return false;
    }

    private void collect(RoundEnvironment round, Set<TypeElement> owners) {
        for (Element set : round.getElementsAnnotatedWith(Tools.class)) {
            owners.add((TypeElement) set);
        }
        for (Element element : round.getElementsAnnotatedWith(Tool.class)) {
            owners.add((TypeElement) (element.getKind() == ElementKind.METHOD
                    ? element.getEnclosingElement()
                    : element));
        }
        for (Element element : round.getElementsAnnotatedWith(Nested.class)) {
            if (element.getKind() != ElementKind.RECORD) {
                owners.add((TypeElement) element);
            }
        }
    }

    /** Reads an owner; a fault of the processor is reported as such, not as a crash of the compiler. */
    private void guarded(TypeElement owner) {
        String name = owner.getQualifiedName().toString();
        if (finished.contains(name)) {
            return;
        }
        var reporter = new Reporter(processingEnv.getMessager(), owner,
                element -> compiled.contains(SourceTypes.topLevel(element).toString()));
        try {
            process(owner, reporter);
            finished.add(name);
            reporter.flush();
        } catch (UnresolvedTypeException | AnnotationTypeMismatchException | IncompleteAnnotationException
                | EnumConstantNotPresentException e) {
            waiting.add(name);
        } catch (RuntimeException | StackOverflowError e) {
            finished.add(name);
            StackTraceElement[] trace = e.getStackTrace();
            reporter.error(Problem.INTERNAL, owner, "the processor failed on " + name + ": " + e
                    + (trace.length == 0 ? "" : " at " + trace[0])
                    + "; please report this with the source of the class");
            reporter.flush();
        }
    }

    private void process(TypeElement owner, Reporter reporter) {
        var types = new SourceTypes(processingEnv.getElementUtils(), processingEnv.getTypeUtils());
        boolean isSet = owner.getAnnotation(Tools.class) != null;
        if (owner.getAnnotation(Tool.class) != null && !isSet && types.inherits(owner, Tools.class)) {
            return;
        }
        var descriptions = new Descriptions(processingEnv.getElementUtils(), types, owner);
        var context = new OwnerContext(owner, types, descriptions, reporter);
        if (!isSet && owner.getAnnotation(Nested.class) != null) {
            reporter.error(Problem.BAD_NESTED, owner, owner.getSimpleName()
                    + " is marked @Nested but is no record; write a record with one component whose type is an interface "
                    + "marked @Tools");
            return;
        }
        new OwnerReader(context).read().ifPresent(model -> write(model, types, reporter));
    }

    private void write(OwnerModel model, SourceTypes types, Reporter reporter) {
        String name = Companions.nameFor(model.binaryName());
        String source = new CompanionSource(model, types).text();
        try (Writer writer = processingEnv.getFiler().createSourceFile(name, model.type()).openWriter()) {
            writer.write(source);
        } catch (FilerException e) {
            reporter.error(Problem.COMPANION_CLASH, model.type(), "the companion of " + model.binaryName()
                    + " would be called " + name + ", and that class exists already; rename one of them");
        } catch (IOException e) {
            reporter.error(Problem.INTERNAL, model.type(),
                    "the companion " + name + " cannot be written: " + e);
        }
    }
}
