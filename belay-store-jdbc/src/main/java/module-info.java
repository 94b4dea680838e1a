/** Sessions and their journal on SQLite or PostgreSQL. */
module dev.belay.store.jdbc {
    requires transitive dev.belay.runtime;
    requires transitive java.sql;
    requires org.slf4j;
    requires static org.checkerframework.checker.qual;
    requires static org.postgresql.jdbc;
    requires org.xerial.sqlitejdbc;

    exports dev.belay.store.jdbc;
}
