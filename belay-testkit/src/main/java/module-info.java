/**
 * For tests of tools, models and stores: contract suites of models and rows, the crash kit, a fake clock, a tool harness.
 */
module dev.belay.testkit {
    requires transitive dev.belay.runtime;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires transitive org.assertj.core;
    requires java.logging;
    requires jdk.httpserver;
    requires org.slf4j;

    exports dev.belay.testkit;
    exports dev.belay.testkit.crash;
    exports dev.belay.testkit.model;
    exports dev.belay.testkit.rows;

    // the tests of a contract and the extension are not public: JUnit calls them by reflection
    opens dev.belay.testkit to org.junit.platform.commons;
    opens dev.belay.testkit.model to org.junit.platform.commons;
    opens dev.belay.testkit.rows to org.junit.platform.commons;
}
