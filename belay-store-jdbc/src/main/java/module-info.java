/** Sessions and their journal on SQLite. */
module dev.belay.store.jdbc {
    requires transitive dev.belay.runtime;
    requires java.sql;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;

    exports dev.belay.store.jdbc;
}
