package dev.belay.store.jdbc.file;

import dev.belay.json.FramedHash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Loads the native library of the driver from the cache of the user. The driver alone would unpack a copy into the directory for
 * temporary files for each process, and a process that is killed leaves its copy there.
 *
 * <p>The library is loaded only if it and its directories belong to the user, no other user can write them, and its bytes are those in
 * the driver. Otherwise the driver unpacks its own copy. Thread-safe.
 */
public final class NativeLibrary {

    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
    /** Where the driver looks for its library before it unpacks one. */
    private static final String PROPERTY = "org.sqlite.lib.path";
    private static final int HASH_DIGITS = 16;

    private static final ReentrantLock LOADING = new ReentrantLock();
    private static boolean loaded;

    private NativeLibrary() {}

    /** Loads the library, once. A program that has set the driver's own property decides for itself. */
    public static void load() {
        LOADING.lock();
        try {
            if (!loaded && System.getProperty(PROPERTY) == null) {
                loadFrom(cached());
            }
            loaded = true;
        } finally {
            LOADING.unlock();
        }
    }

    private static @Nullable Path cached() {
        String name = LibraryLoaderUtil.getNativeLibName();
        String resource = "/" + LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
        try (InputStream library = SQLiteJDBCLoader.class.getResourceAsStream(resource.replace("//", "/"))) {
            return library == null ? null : place(userCache(), name, library.readAllBytes());
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "The cache of the user cannot hold the library of SQLite, so that each process which is killed"
                            + " leaves a copy in the directory for temporary files: {}. Set XDG_CACHE_HOME to a directory"
                            + " of this user, or the system property {} to one with the library",
                    e.getMessage(),
                    PROPERTY, e);
            return null;
        }
    }

    /** The property is set for a moment only: another class loader may have another version of the driver. */
    private static void loadFrom(@Nullable Path directory) {
        if (directory == null) {
            return;
        }
        System.setProperty(PROPERTY, directory.toString());
        try {
            SQLiteJDBCLoader.initialize();
        } catch (Exception e) {
            throw StorePlace.unusable("the native library of the SQLite driver cannot be loaded: " + e, e);
        } finally {
            System.clearProperty(PROPERTY);
        }
    }

    /** The directory in which programs of this user keep what they can make again. */
    private static Path userCache() throws IOException {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        Path home = Path.of(System.getProperty("user.home", ""));
        String set = System.getenv(os.startsWith("windows") ? "LOCALAPPDATA" : "XDG_CACHE_HOME");
        Path cache = set != null && !set.isBlank()
                ? Path.of(set)
                : home.resolve(os.startsWith("mac") ? "Library/Caches" : ".cache");
        if (!cache.isAbsolute()) {
            throw new IOException("the home directory of the user is not known");
        }
        return cache;
    }

    /** The directory with the library, which is written unless it is there. */
    static Path place(Path cache, String name, byte[] library) throws IOException {
        Path directory = cache;
        String version = "sqlite-" + new FramedHash().add(library).hex().substring(0, HASH_DIGITS);
        for (String below : new String[]{"belay", version}) {
            directory = directory.resolve(below);
            PrivateFiles.makeDirectory(directory);
            requireOwn(directory);
        }
        Path file = directory.resolve(name);
        if (!isIntact(file, library)) {
            Path part = Files.createTempFile(directory, name, ".part", PrivateFiles.attributes(file));
            try {
                Files.write(part, library);
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
        }
        return directory;
    }

    private static boolean isIntact(Path file, byte[] library) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        requireOwn(file);
        return Files.size(file) == library.length && Arrays.equals(Files.readAllBytes(file), library);
    }

    /** Refuses what another user could have put there or could change. */
    private static void requireOwn(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            throw new IOException(path + " is a link");
        }
        if (!PrivateFiles.knowsUsers(path)) {
            return;
        }
        UserPrincipal user = path.getFileSystem()
                .getUserPrincipalLookupService()
                .lookupPrincipalByName(System.getProperty("user.name", ""));
        if (!Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(user)) {
            throw new IOException(path + " belongs to another user");
        }
        Set<PosixFilePermission> granted = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        if (granted.contains(PosixFilePermission.GROUP_WRITE)
                || granted.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException(path + " can be written by other users");
        }
    }
}
