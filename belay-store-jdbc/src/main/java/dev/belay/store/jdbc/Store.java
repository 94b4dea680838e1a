package dev.belay.store.jdbc;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.Secret;
import dev.belay.runtime.effect.ServedKinds;
import dev.belay.store.jdbc.SqliteOutputs.Stored;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One open file: its threads, its owner, and the doors to read and to write. Thread-safe. */
final class Store {

    private static final Logger LOG = LoggerFactory.getLogger(Store.class);

    private final SqliteFile file;
    private final OwnerLock lock;
    private final GroupWriter writer;
    private final ReaderPool readers;
    private final ScopeWrites writes;
    private final Takers takers;
    private final ReentrantLock drawing = new ReentrantLock();

    private Store(SqliteFile file, OwnerLock lock, GroupWriter.Commit commit) {
        this.file = file;
        this.lock = lock;
        writer = new GroupWriter(file, lock.owner(), file::writer, commit, this::die);
        readers = new ReaderPool(file);
        writes = new ScopeWrites(lock.owner(), lock::alive, new ServedKinds());
        takers = new Takers(this);
    }

    static Store open(Path path, SqliteOptions options, GroupWriter.Commit commit) {
        var file = new SqliteFile(Place.check(path, options.fileSystemType()), options);
        var opened = new Answer<Store>();
        // on a platform thread: an interrupt of a virtual one would close the files
        Thread.ofPlatform().name("belay-open").daemon().start(() -> {
            try {
                opened.give(open(file, commit));
            } catch (SQLException e) {
                opened.fail(SqliteFailure.of(e, file.path()));
            } catch (IOException e) {
                opened.fail(
                        new JournalException("the owners of " + file.path() + " cannot be written: " + e, e));
            } catch (RuntimeException | Error e) {
                opened.fail(e);
            }
        });
        return opened.await();
    }

    private static Store open(SqliteFile file, GroupWriter.Commit commit) throws SQLException, IOException {
        file.prepare();
        Path owners = file.path().resolveSibling(file.path().getFileName() + "-owners");
        var lock = OwnerLock.acquire(owners, file.options().random());
        try {
            lock.sweep();
            enrol(file, lock.owner());
            var store = new Store(file, lock, commit);
            store.writer.start();
            store.readers.start();
            return store;
        } catch (SQLException | IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /** Makes the owner known, now that its lock is held. */
    private static void enrol(SqliteFile file, String owner) throws SQLException {
        try (Database db = file.writer()) {
            db.run("begin immediate");
            SqliteOwners.add(db, owner);
            if (SqliteSecrets.current(db) == null) {
                SqliteSecrets.add(db, secretBytes(file.options().random()));
            }
            db.run("commit");
        }
    }

    static byte[] secretBytes(RandomGenerator random) {
        byte[] bytes = new byte[Secret.LENGTH];
        random.nextBytes(bytes);
        return bytes;
    }

    ScopeWrites writes() {
        return writes;
    }

    Takers takers() {
        return takers;
    }

    /** Draws from the source of chance, which need not be thread-safe. */
    <T> T draw(Function<RandomGenerator, T> drawn) {
        drawing.lock();
        try {
            return drawn.apply(file.options().random());
        } finally {
            drawing.unlock();
        }
    }

    <R extends @Nullable Object> R write(@Nullable String name, long size, Database.Work<R> work) {
        return writer.write(new Write<>(name, Write.Sharing.SHARED, size, work));
    }

    <R extends @Nullable Object> R write(Write<R> write) {
        return writer.write(write);
    }

    /** Hands over several writes that may share a commit; the caller waits for each. */
    void put(List<? extends Write<?>> several) {
        writer.put(several);
    }

    <R extends @Nullable Object> R read(Database.Work<R> work) {
        if (writer.death() != null) {
            throw writer.gone();
        }
        return readers.read(work);
    }

    /** Writes bytes in a commit of their own, unless they are there. */
    Stored output(String hash, byte[] bytes, String at) {
        if (!read(db -> SqliteOutputs.known(db, hash))) {
            writer.write(new Write<>(null, Write.Sharing.ALONE, bytes.length, db -> {
                SqliteOutputs.add(db, hash, bytes, at);
                return true;
            }));
        }
        return new Stored(null, hash, bytes);
    }

    long version() {
        return writer.version();
    }

    /** Whether another owner is dead. */
    boolean dead(String owner) {
        return !lock.alive(owner);
    }

    String owner() {
        return lock.owner();
    }

    private void die() {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("the lock of {} could not be removed; others find it free", file.path(), e);
        }
    }

    void close() {
        writer.close();
        readers.close();
    }

}
