package dev.belay.store.jdbc.file;

import dev.belay.json.FramedHash;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides who is alive without a clock: an owner is, as long as a lock on its own file is held, and the operating system takes
 * a lock back when a process ends, however it ends.
 *
 * <p>Concurrency: POSIX drops all locks that a process has on a file when it closes any descriptor of it. So the file of an
 * owner that lives in this very process must never be opened by another one. The owners of this process stand in the system
 * properties, because these exist once in a process, also if this class is loaded twice.
 *
 * <p>Recovery: a file is deleted only by whoever holds its lock, and names are never used twice. An owner that was overtaken
 * between making its file and locking it finds the file gone and takes another name; nobody has seen the first one, because a
 * name is written to the database only after it was locked.
 *
 * <p>All methods are for platform threads: an interrupt of a virtual thread would close the channel.
 */
public final class OwnerLock implements AutoCloseable {

    private static final String PROPERTY = "dev.belay.store.jdbc.owner.";
    private static final String SUFFIX = ".lock";
    /** What {@link #draw} makes. A row or a file may say anything, also {@code ../x}: no file of another name is touched. */
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{32}");

    private final Path directory;
    private final String owner;
    private final boolean sweeps;
    private @Nullable FileChannel channel;

    private OwnerLock(Path directory, String owner, boolean sweeps, @Nullable FileChannel channel) {
        this.directory = directory;
        this.owner = owner;
        this.sweeps = sweeps;
        this.channel = channel;
    }

    /** Makes a new owner, whose lock is held until it is closed. The directory exists. */
    public static OwnerLock acquire(Path directory, RandomGenerator random) throws IOException {
        return acquire(directory, random, "");
    }

    /**
     * The same with a name that only a program which knows a mark can make.
     *
     * @param mark may be empty
     */
    public static OwnerLock acquire(Path directory, RandomGenerator random, String mark) throws IOException {
        while (true) {
            String owner = draw(random, mark);
            // before the file is made, so that nobody in this process ever opens it
            if (System.getProperties().putIfAbsent(PROPERTY + owner, "alive") == null) {
                FileChannel channel = locked(file(directory, owner));
                if (channel != null) {
                    return new OwnerLock(directory, owner, true, channel);
                }
                System.clearProperty(PROPERTY + owner);
            }
        }
    }

    private static String draw(RandomGenerator random, String mark) {
        String first = "%016x".formatted(random.nextLong());
        return first + (mark.isEmpty() ? "%016x".formatted(random.nextLong()) : seal(first, mark));
    }

    private static String seal(String first, String mark) {
        return new FramedHash().add("belay-owner-1").add(mark).add(first).hex().substring(0, first.length());
    }

    /** Whether an owner with a name under a mark lives, or has left its file. */
    static boolean isAny(Path directory, String mark) throws IOException {
        return Files.isDirectory(directory)
                && names(directory).stream()
                        .filter(name -> NAME.matcher(name).matches())
                        .anyMatch(name -> name.endsWith(seal(name.substring(0, name.length() / 2), mark)));
    }

    /** Names an owner that has no file before {@link #enrol}, and that leaves the files of the dead where they are. */
    public static OwnerLock named(Path directory, RandomGenerator random, String mark) {
        return new OwnerLock(directory, draw(random, mark), false, null);
    }

    /** Makes and locks the file of an owner that was only named; does nothing if it is held. */
    public void enrol() throws IOException {
        if (channel == null) {
            System.setProperty(PROPERTY + owner, "alive");
            channel = locked(file(directory, owner));
            if (channel == null) {
                System.clearProperty(PROPERTY + owner);
                throw new IOException("the lock " + file(directory, owner) + " is taken");
            }
        }
    }

    /** Makes and locks a file; null if the name was used before, or somebody has swept the file before it was locked. */
    private static @Nullable FileChannel locked(Path file) throws IOException {
        try {
            FileChannel channel = FileChannel.open(file,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PrivateFiles.attributes(file));
            if (channel.tryLock() != null && Files.exists(file)) {
                return channel;
            }
            channel.close();
            return null;
        } catch (FileAlreadyExistsException e) {
            return null;
        }
    }

    public String owner() {
        return owner;
    }

    /** Whether another owner lives. Where that cannot be found out, it does; one with a name that is never drawn does not. */
    public boolean alive(String other) {
        if (System.getProperty(PROPERTY + other) != null) {
            return true;
        }
        if (!NAME.matcher(other).matches()) {
            return false;
        }
        Path file = file(directory, other);
        try (FileChannel theirs = FileChannel.open(file, StandardOpenOption.WRITE)) {
            try (FileLock lock = theirs.tryLock()) {
                if (lock == null) {
                    return true;
                }
                if (sweeps) {
                    Files.deleteIfExists(file);
                }
                return false;
            }
        } catch (NoSuchFileException e) {
            return false;
        } catch (OverlappingFileLockException | IOException e) {
            return true;
        }
    }

    /** Removes what owners left behind that died before anybody heard of them. */
    public void sweep() throws IOException {
        names(directory).forEach(this::alive);
    }

    private static List<String> names(Path directory) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                names.add(name.substring(0, name.length() - SUFFIX.length()));
            }
        }
        return names;
    }

    private static Path file(Path directory, String owner) {
        return directory.resolve(owner + SUFFIX);
    }

    /** Dies: the file goes first, so that nobody finds it unlocked and alive at once. */
    @Override
    public void close() throws IOException {
        close(false);
    }

    /**
     * Dies.
     *
     * @param leaves keeps the file: it tells who has left the log of the database
     */
    public void close(boolean leaves) throws IOException {
        FileChannel held = channel;
        if (held == null) {
            return;
        }
        try {
            if (!leaves) {
                Files.deleteIfExists(file(directory, owner));
            }
        } finally {
            held.close();
            System.clearProperty(PROPERTY + owner);
        }
    }
}
