/**
 * Local tools for a model: notes, files, commands, pages of the web, and a project's own executables. Start at
 * {@link dev.belay.toolbox.Toolbox}.
 */
module dev.belay.toolbox {
    requires transitive dev.belay.core;
    requires org.jsoup;
    requires org.slf4j;

    exports dev.belay.toolbox;
    exports dev.belay.toolbox.command;
    exports dev.belay.toolbox.file;
    exports dev.belay.toolbox.http;
}
