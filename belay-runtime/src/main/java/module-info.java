/**
 * Effects that are journaled, calls that are dispatched through them, and sessions whose turns are made of both.
 */
@SuppressWarnings("module") // they are compiled after this module
module dev.belay.runtime {
    requires transitive dev.belay.core;
    requires org.slf4j;

    exports dev.belay.runtime;
    exports dev.belay.runtime.catalog;
    exports dev.belay.runtime.dispatch;
    exports dev.belay.runtime.effect;
    exports dev.belay.runtime.history;
    exports dev.belay.runtime.operate;
    exports dev.belay.runtime.output;
    exports dev.belay.runtime.plugin;
    exports dev.belay.runtime.policy;
    exports dev.belay.runtime.process;
    exports dev.belay.runtime.session;
    exports dev.belay.runtime.session.action;
    exports dev.belay.runtime.store;
    exports dev.belay.runtime.store.check;
    exports dev.belay.runtime.store.commit;
    exports dev.belay.runtime.store.journal;
    exports dev.belay.runtime.store.law;
    exports dev.belay.runtime.store.memory;
    exports dev.belay.runtime.store.rows;

    // the kit runs hosts without a runtime around them
    exports dev.belay.runtime.dispatch.record to dev.belay.testkit;
    exports dev.belay.runtime.effect.engine to dev.belay.laws, dev.belay.testkit;
}
