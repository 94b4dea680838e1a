package dev.belay.toolbox.file;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The directory that tools may touch. A path from a model is resolved, links included, and must end inside. Then it is opened
 * name by name without following links, so that a name that was replaced by a link after the check is not opened.
 *
 * <p>Thread-safe.
 */
final class Workspace {

    /** Longer paths have no use and are expensive to resolve. */
    private static final int LONGEST_PATH = 4096;

    private static final Set<PosixFilePermission> WRITE = Set.of(PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private final Path given;
    private final Path root;
    /** The names of the root, each followed by a slash. */
    private final String rootNames;
    private final SecretNames secrets;
    private final boolean held;
    private final Interlude interlude;

    /** Lets tests act between the check of a path and its opening. */
    @FunctionalInterface
    interface Interlude {

        /** Does nothing. */
        Interlude NONE = path -> {};

        /** Called with the path as the model wrote it. */
        void before(String path) throws IOException;

        /** Called before a new directory is moved from the root to its place. */
        default void beforeDirectory() throws IOException {
            // nothing happens
        }
    }

    /**
     * A path inside, resolved.
     *
     * @param text as the model wrote it
     * @param found names from the root that exist, none of them a link when they were looked at
     * @param missing names after them that do not exist, or are links without a target
     */
    record Place(String text, List<Path> found, List<Path> missing) {

        /** Copies the lists, without the names that mean the directory they stand in. */
        Place {
            found = List.copyOf(found);
            missing = missing.stream().filter(name -> !name.toString().equals(".")).toList();
        }

        boolean exists() {
            return missing.isEmpty();
        }

        /** All names from the root, with slashes and links followed: the one spelling of this path. */
        String shown() {
            List<String> names = new ArrayList<>();
            found.forEach(name -> names.add(name.toString()));
            missing.forEach(name -> names.add(name.toString()));
            return names.isEmpty() ? "." : String.join("/", names);
        }
    }

    /** An open file with its attributes at the time of the opening. */
    record OpenFile(Folder folder, Path name, BasicFileAttributes attributes, SeekableByteChannel channel)
            implements
                AutoCloseable {

        @Override
        public void close() throws IOException {
            try (folder; channel) {
                // both are closed
            }
        }
    }

    Workspace(Path directory, SecretNames secrets) throws IOException {
        this(directory, secrets, true, Interlude.NONE);
    }

    Workspace(Path directory, SecretNames secrets, boolean mayHold, Interlude interlude) throws IOException {
        given = directory.toAbsolutePath().normalize();
        root = directory.toRealPath();
        if (!Files.isDirectory(root)) {
            throw new NotDirectoryException(root.toString());
        }
        StringBuilder names = new StringBuilder();
        root.forEach(name -> names.append(name).append('/'));
        rootNames = names.toString();
        this.secrets = secrets;
        this.interlude = interlude;
        if (mayHold) {
            var folder = SecureFolder.open(root);
            held = folder.isPresent();
            if (held) {
                folder.get().close();
            }
        } else {
            held = false;
        }
    }

    /**
     * Whether a name is protected.
     *
     * @param above the names above it in the workspace, each followed by a slash
     */
    boolean isSecret(String above, String name) {
        return secrets.isSecret(rootNames + above, name);
    }

    /** Resolves a path; refuses it if it is outside or protected, both as written and after following links. */
    Place resolve(String text) throws Exception {
        if (text.length() > LONGEST_PATH) {
            throw FileRefusal.badPath(text, "it has over " + LONGEST_PATH + " characters");
        }
        Path path;
        try {
            path = root.resolve(text);
        } catch (InvalidPathException e) {
            throw FileRefusal.badPath(text, e.getReason());
        }
        Path written = inside(path.normalize());
        if (written == null) {
            throw FileRefusal.outside(text);
        }
        refuseSecrets(text, written);
        return found(text, path);
    }

    /** The real path of the root, which a prepared call is bound to. */
    String root() {
        return root.toString();
    }

    /**
     * Resolves the path of a prepared call, which stands in its one spelling; {@code prepared_tool_mismatch} if the call belongs to another
     * workspace, or a link stands in the path now.
     */
    Place prepared(String text, String preparedRoot) throws Exception {
        if (!preparedRoot.equals(root())) {
            throw FileRefusal.otherWorkspace(text);
        }
        Place place = resolve(text);
        if (!place.shown().equals(text)) {
            throw FileRefusal.changed(text, "leads somewhere else");
        }
        return place;
    }

    /** The part below the root, which a model may name as given or as resolved; null if it is not below. */
    private @Nullable Path inside(Path path) {
        return path.startsWith(root)
                ? root.relativize(path)
                : path.startsWith(given) ? given.relativize(path) : null;
    }

    /** Follows the path as far as it exists. It reads nothing outside the root, not even whether a name exists. */
    private Place found(String text, Path path) throws Exception {
        List<Path> missing = new ArrayList<>();
        for (Path existing = path; existing != null; existing = existing.getParent()) {
            try {
                Path real = existing.toRealPath();
                if (!real.startsWith(root)) {
                    throw FileRefusal.outside(text);
                }
                Path below = root.relativize(real);
                refuseSecrets(text, below);
                if (missing.stream().anyMatch(name -> name.toString().equals(".."))) {
                    throw FileRefusal.missing(text);
                }
                if (!missing.isEmpty()) {
                    refuseBelow(text, real, below);
                }
                return new Place(text, names(below), missing.reversed());
            } catch (FileSystemLoopException e) {
                throw FileRefusal.badPath(text, "its links lead in a circle");
            } catch (FileSystemException e) {
                refuseUnusable(text, e);
                missing.add(existing.getFileName());
            }
        }
        throw FileRefusal.outside(text);
    }

    /** Refuses a path that goes on below a file, or below a directory that this process may not enter. */
    private static void refuseBelow(String text, Path real, Path below) {
        if (!Files.isDirectory(real)) {
            throw FileRefusal.belowFile(text, below.toString());
        }
        if (!Files.isExecutable(real)) {
            throw FileRefusal.denied(text);
        }
    }

    private static void refuseUnusable(String text, FileSystemException e) throws Exception {
        String reason = e.getReason();
        if (reason != null && reason.contains("too long")) {
            throw FileRefusal.badPath(text, "a name in it is too long");
        }
        if (reason != null && reason.contains("symbolic links")) {
            throw FileRefusal.badPath(text, "its links lead in a circle");
        }
    }

    private void refuseSecrets(String text, Path below) {
        StringBuilder above = new StringBuilder();
        for (Path name : below) {
            if (isSecret(above.toString(), name.toString())) {
                throw FileRefusal.secret(text);
            }
            above.append(name).append('/');
        }
    }

    private static List<Path> names(Path below) {
        List<Path> names = new ArrayList<>();
        below.forEach(name -> {
            if (!name.toString().isEmpty()) {
                names.add(name);
            }
        });
        return names;
    }

    /** Opens the root. */
    Folder openRoot() throws IOException {
        return held ? SecureFolder.open(root).orElseThrow() : new CheckedFolder(root);
    }

    /** Creates a directory below these names, until it is moved to its place. */
    void makeDirectory(List<Path> names, Path name) throws IOException {
        removeDirectory(names, name);
        Files.createDirectory(path(names).resolve(name));
    }

    /** Removes an empty directory that {@link #makeDirectory} made. */
    void removeDirectory(List<Path> names, Path name) throws IOException {
        Files.deleteIfExists(path(names).resolve(name));
    }

    /** Whether this process may not write the file. It serves a clear message; it protects nothing. */
    boolean isReadOnly(Place place, Set<PosixFilePermission> permissions) {
        boolean forAll = !permissions.isEmpty() && Collections.disjoint(permissions, WRITE);
        return forAll || !Files.isWritable(path(place.found()));
    }

    private Path path(List<Path> names) {
        Path path = root;
        for (Path name : names) {
            path = path.resolve(name);
        }
        return path;
    }

    /** The moment before a directory that was made in the root is moved to its place. */
    void beforeDirectory() throws IOException {
        interlude.beforeDirectory();
    }

    /** The moment before a change becomes visible. */
    void beforeMove(Place place) throws IOException {
        interlude.before(place.text());
    }

    /** Opens a directory by its resolved names, each without following a link. */
    Folder open(Place place, List<Path> names) throws Exception {
        interlude.before(place.text());
        Folder folder = openRoot();
        try {
            for (Path name : names) {
                Folder next = folder.enter(name);
                folder.close();
                folder = next;
            }
            return folder;
        } catch (IOException e) {
            folder.close();
            throw e instanceof ClosedByInterruptException || FileRefusal.isOurs(e)
                    ? FileRefusal.because(place.text(), e)
                    : FileRefusal.moved(place.text());
        }
    }

    /** Opens an existing directory. */
    Folder openDirectory(Place place) throws Exception {
        demandExists(place);
        if (!place.found().isEmpty()) {
            Path last = place.found().getLast();
            try (Folder parent = open(place, place.found().subList(0, place.found().size() - 1))) {
                BasicFileAttributes attributes = parent.attributes(last);
                if (attributes.isSymbolicLink()) {
                    throw FileRefusal.moved(place.text());
                }
                if (!attributes.isDirectory()) {
                    throw FileRefusal.notADirectory(place.text());
                }
            }
        }
        return open(place, place.found());
    }

    /** Opens an existing regular file; other kinds are refused without an opening, which could block. */
    OpenFile openFile(Place place) throws Exception {
        demandExists(place);
        if (place.found().isEmpty()) {
            throw FileRefusal.notAFile(place.text(), "a directory");
        }
        Path name = place.found().getLast();
        Folder folder = open(place, place.found().subList(0, place.found().size() - 1));
        try {
            BasicFileAttributes attributes = folder.attributes(name);
            refuseIrregular(place, attributes);
            interlude.before(place.text());
            SeekableByteChannel channel = folder.read(name);
            return new OpenFile(folder, name, attributes, channel);
        } catch (IOException e) {
            folder.close();
            throw isLink(e)
                    ? FileRefusal.moved(place.text())
                    : FileRefusal.because(place.text(), e);
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    private static boolean isLink(IOException e) {
        String reason = FileRefusal.reason(e);
        return reason.contains("symbolic links") || reason.contains("NOFOLLOW_LINKS");
    }

    private static void refuseIrregular(Place place, BasicFileAttributes attributes) {
        if (attributes.isSymbolicLink()) {
            throw FileRefusal.moved(place.text());
        }
        if (!attributes.isRegularFile()) {
            throw FileRefusal.notAFile(place.text(),
                    attributes.isDirectory() ? "a directory" : "a pipe, socket or device");
        }
    }

    private static void demandExists(Place place) {
        if (!place.exists()) {
            throw FileRefusal.missing(place.text());
        }
    }
}
