package dev.belay.store.jdbc.sqlite;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.runtime.store.journal.ServedKinds;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.store.jdbc.file.Database;
import dev.belay.store.jdbc.file.GroupWriter;
import dev.belay.store.jdbc.file.OwnerLock;
import dev.belay.store.jdbc.file.PendingAnswer;
import dev.belay.store.jdbc.file.ReaderPool;
import dev.belay.store.jdbc.file.SqliteFailure;
import dev.belay.store.jdbc.file.SqliteFile;
import dev.belay.store.jdbc.file.SqliteOwners;
import dev.belay.store.jdbc.file.StorePlace;
import dev.belay.store.jdbc.file.Write;
import dev.belay.store.jdbc.sqlite.SqliteOutputs.Stored;
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
public final class OpenFile {

    private static final Logger LOG = LoggerFactory.getLogger(OpenFile.class);

    private final SqliteFile file;
    private final OwnerLock lock;
    private final GroupWriter writer;
    private final ReaderPool readers;
    private final ScopeWrites writes;
    private final Takers takers;
    private final ReentrantLock drawing = new ReentrantLock();

    private OpenFile(SqliteFile file, OwnerLock lock, GroupWriter.Commit commit) {
        this.file = file;
        this.lock = lock;
        writer = new GroupWriter(file, lock.owner(), file::writer, commit, this::die);
        readers = new ReaderPool(file);
        writes = new ScopeWrites(lock.owner(), lock::alive, new ServedKinds());
        takers = new Takers(this);
    }

    public static OpenFile open(Path path, SqliteOptions options, GroupWriter.Commit commit) {
        var file = new SqliteFile(StorePlace.check(path, options.fileSystemType()), options);
        var opened = new PendingAnswer<OpenFile>();
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

    private static OpenFile open(SqliteFile file, GroupWriter.Commit commit)
            throws SQLException, IOException {
        file.prepareOld();
        Path owners = file.path().resolveSibling(file.path().getFileName() + "-owners");
        var lock = OwnerLock.acquire(owners, file.options().random());
        try {
            lock.sweep();
            enrol(file, lock.owner());
            var store = new OpenFile(file, lock, commit);
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

    public static byte[] secretBytes(RandomGenerator random) {
        byte[] bytes = new byte[Secret.LENGTH];
        random.nextBytes(bytes);
        return bytes;
    }

    public ScopeWrites writes() {
        return writes;
    }

    public Takers takers() {
        return takers;
    }

    /** Draws from the source of chance, which need not be thread-safe. */
    public <T> T draw(Function<RandomGenerator, T> drawn) {
        drawing.lock();
        try {
            return drawn.apply(file.options().random());
        } finally {
            drawing.unlock();
        }
    }

    public <R extends @Nullable Object> R write(@Nullable String name, long size, Database.Work<R> work) {
        return writer.write(new Write<>(name, Write.Sharing.SHARED, size, work));
    }

    public <R extends @Nullable Object> R write(Write<R> write) {
        return writer.write(write);
    }

    /** Hands over several writes that may share a commit; the caller waits for each. */
    public void put(List<? extends Write<?>> several) {
        writer.put(several);
    }

    public <R extends @Nullable Object> R read(Database.Work<R> work) {
        if (writer.death() != null) {
            throw writer.gone();
        }
        return readers.read(work);
    }

    /** Writes bytes in a commit of their own, unless they are there. */
    public Stored output(String hash, byte[] bytes, String at) {
        if (!read(db -> SqliteOutputs.known(db, hash))) {
            writer.write(new Write<>(null, Write.Sharing.ALONE, bytes.length, db -> {
                SqliteOutputs.add(db, hash, bytes, at);
                return true;
            }));
        }
        return new Stored(null, hash, bytes);
    }

    public long version() {
        return writer.version();
    }

    /** Whether another owner is dead. */
    public boolean dead(String owner) {
        return !lock.alive(owner);
    }

    public String owner() {
        return lock.owner();
    }

    private void die() {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("the lock of {} could not be removed; others find it free", file.path(), e);
        }
    }

    public void close() {
        writer.close();
        readers.close();
    }

}
