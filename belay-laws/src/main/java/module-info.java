/**
 * Suites of Belay's own law, which the tests of each store extend.
 */
module dev.belay.laws {
    requires transitive dev.belay.testkit;

    exports dev.belay.laws;
    exports dev.belay.laws.effect;
    exports dev.belay.laws.journal;
    exports dev.belay.laws.operate;
    exports dev.belay.laws.store;

    // the tests of a contract are not public: JUnit calls them by reflection
    opens dev.belay.laws.effect to org.junit.platform.commons;
    opens dev.belay.laws.journal to org.junit.platform.commons;
    opens dev.belay.laws.operate to org.junit.platform.commons;
    opens dev.belay.laws.store to org.junit.platform.commons;
}
