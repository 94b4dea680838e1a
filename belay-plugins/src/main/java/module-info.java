/** Plugins beyond the default stack, written against the public API alone. */
module dev.belay.plugins {
    requires transitive dev.belay.runtime;

    exports dev.belay.plugins;
}
