/**
 * For tests of tools, models and stores: contract suites of models and rows, the crash kit, a fake clock, a tool harness.
 */
module dev.belay.testkit {
    requires transitive dev.belay.runtime;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires transitive org.assertj.core;
    requires jdk.httpserver;

    exports dev.belay.testkit;
    exports dev.belay.testkit.crash;
    exports dev.belay.testkit.model;
    exports dev.belay.testkit.rows;

    // the tests of a contract are not public: JUnit calls them by reflection
    opens dev.belay.testkit.model to org.junit.platform.commons;
    opens dev.belay.testkit.rows to org.junit.platform.commons;
}
