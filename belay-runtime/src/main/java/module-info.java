/**
 * Effects that are journaled, and calls that are dispatched through them.
 */
module dev.belay.runtime {
    requires transitive dev.belay.core;
    requires org.slf4j;

    exports dev.belay.runtime.dispatch;
    exports dev.belay.runtime.effect;
}
