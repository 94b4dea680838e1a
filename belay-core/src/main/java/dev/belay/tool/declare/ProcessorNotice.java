package dev.belay.tool.declare;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once that the annotation processor did not run, and what to add. */
final class ProcessorNotice {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.tool");
    private static final AtomicBoolean SAID = new AtomicBoolean();

    private ProcessorNotice() {}

    static void missing(Class<?> owner) {
        if (SAID.compareAndSet(false, true)) {
            LOG.warn(
                    """
                            {} was compiled without Belay's annotation processor: Javadoc does not reach the model, and mistakes show \
                            only at run time. JDK 23 and later run no processor from the class path; add to maven-compiler-plugin:
                              <annotationProcessorPaths>
                                <path><groupId>dev.belay</groupId><artifactId>belay-processor</artifactId>\
                            <version>THE VERSION OF belay-core</version></path>
                              </annotationProcessorPaths>
                            (This is said once, for the first such class.)""",
                    owner.getName());
        }
    }
}
