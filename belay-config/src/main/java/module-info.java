/** Policies and settings in TOML files; every message names the line and column. */
module dev.belay.config {
    requires transitive dev.belay.runtime;
    requires org.tomlj;

    exports dev.belay.config;
}
