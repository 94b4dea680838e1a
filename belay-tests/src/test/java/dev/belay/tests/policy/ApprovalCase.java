package dev.belay.tests.policy;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of approvals that run with each of several stores and loops. */
abstract class ApprovalCase {

    /** Every test of the class runs on both stores, in the loop of the runtime and in a program's own. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @ParameterizedClass
    @ValueSource(strings = {"memory", "sqlite", "memory own-loop", "sqlite own-loop"})
    @interface Everywhere {}

    /** Every test of the class runs on both stores, in the loop of the runtime or in none. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @ParameterizedClass
    @ValueSource(strings = {"memory", "sqlite"})
    @interface OnBothStores {}

    /** Every test of the class runs on both stores, in a program's own loop. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @ParameterizedClass
    @ValueSource(strings = {"memory own-loop", "sqlite own-loop"})
    @interface InOwnLoops {}

    @Parameter
    String where = "";
    @TempDir
    Path folder;
    ApprovalBench bench = new ApprovalBench("memory", Path.of(""));

    @BeforeEach
    void open() {
        bench = new ApprovalBench(where, folder);
    }

    @AfterEach
    void close() {
        bench.close();
    }
}
