/**
 * Effects that are journaled, calls that are dispatched through them, and sessions whose turns are made of both.
 */
module dev.belay.runtime {
    requires transitive dev.belay.core;
    requires org.slf4j;

    exports dev.belay.runtime;
    exports dev.belay.runtime.catalog;
    exports dev.belay.runtime.dispatch;
    exports dev.belay.runtime.effect;
    exports dev.belay.runtime.memory;
    exports dev.belay.runtime.process;
    exports dev.belay.runtime.session;
    exports dev.belay.runtime.store;
}
