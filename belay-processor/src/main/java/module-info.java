/**
 * Runs inside the compiler: writes a companion for each class that declares tools and reports mistakes at the element. Users
 * name it only in their build.
 */
module dev.belay.processor {
    requires dev.belay.core;
    requires java.compiler;

    provides javax.annotation.processing.Processor with dev.belay.processor.BelayProcessor;
}
