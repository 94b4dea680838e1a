package dev.belay.tool.declare;

import dev.belay.BelayException;
import dev.belay.tool.ToolManifest;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says that the annotation processor did not run, and what to add. */
public final class ProcessorNotice {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.tool");
    private static final AtomicBoolean SAID = new AtomicBoolean();

    /** Maven before 3.9 takes version 3.1 of its compiler plugin unless the build names one, and that ignores the processor. */
    private static final String ADVICE = """
            JDK 23 and later run no processor from the class path, and maven-compiler-plugin before 3.5 ignores \
            annotationProcessorPaths; Maven 3.8 takes 3.1 unless the build names a version. Write both:
              <artifactId>maven-compiler-plugin</artifactId>
              <version>3.16.0</version>
              <configuration><annotationProcessorPaths>
                <path><groupId>dev.belay</groupId><artifactId>belay-processor</artifactId>\
            <version>THE VERSION OF belay-core</version></path>
              </annotationProcessorPaths></configuration>""";

    private ProcessorNotice() {}

    /** Warns, once for all classes. */
    static void missing(Class<?> owner) {
        if (SAID.compareAndSet(false, true)) {
            LOG.warn(
                    "{} was compiled without Belay's annotation processor: Javadoc does not reach the model, and mistakes "
                            + "show only at run time. {}\n(This is said once, for the first such class.)",
                    owner.getName(), ADVICE);
        }
    }

    /** Refuses a tool without description whose Javadoc was not seen, because its class has no companion. */
    public static void demandDescription(ToolManifest manifest, TypedDeclaration declaration) {
        if (manifest.description().isBlank() && declaration.companion() == null) {
            throw new BelayException("missing_description", "tool " + manifest.name()
                    + " has no description. Javadoc counts only if Belay's annotation processor has compiled the class as it is now: "
                    + "let it run, or write @Description(\"…\") or @Tool(undescribed = true). " + ADVICE);
        }
    }
}
