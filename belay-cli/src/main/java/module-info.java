/** The {@code belay} command: a local agent, operators' verbs and a demo. */
module dev.belay.cli {
    requires dev.belay.config;
    requires dev.belay.mcp;
    requires dev.belay.model.http;
    requires dev.belay.plugins;
    requires dev.belay.runtime;
    requires dev.belay.store.jdbc;
    requires dev.belay.toolbox;
    requires info.picocli;
    requires java.sql;
    requires org.commonmark;
    requires org.commonmark.ext.gfm.tables;
    requires org.jline;

    exports dev.belay.cli;

    // the options of commands
    opens dev.belay.cli to info.picocli;
    opens dev.belay.cli.demo to info.picocli;
    opens dev.belay.cli.local to info.picocli;
    opens dev.belay.cli.operate to info.picocli;
    opens dev.belay.cli.talk to info.picocli;
    opens dev.belay.cli.verb to info.picocli;
}
