package dev.belay.toolbox.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A directory held open by the operating system: operations are relative to the open directory, not to a path. */
final class SecureFolder implements Folder {

    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, NOFOLLOW_LINKS);
    private static final Set<OpenOption> BOTH = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE,
            NOFOLLOW_LINKS);
    private static final Set<OpenOption> CREATE = Set.of(StandardOpenOption.WRITE,
            StandardOpenOption.CREATE_NEW, NOFOLLOW_LINKS);
    private static final FileAttribute<?>[] PRIVATE = {
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))};
    private static final FileAttribute<?>[] USUAL = {};

    private final SecureDirectoryStream<Path> stream;

    private SecureFolder(SecureDirectoryStream<Path> stream) {
        this.stream = stream;
    }

    /** Opens a directory, if the file system can hold it open that way. */
    @SuppressWarnings("StreamResourceLeak") // the caller closes the folder
    static Optional<Folder> open(Path directory) throws IOException {
        DirectoryStream<Path> opened = Files.newDirectoryStream(directory);
        if (opened instanceof SecureDirectoryStream<Path> secure) {
            return Optional.of(new SecureFolder(secure));
        }
        opened.close();
        return Optional.empty();
    }

    @Override
    public Folder enter(Path name) throws IOException {
        return new SecureFolder(
                Opening.watched(() -> stream.newDirectoryStream(name, NOFOLLOW_LINKS), otherEnd(name)));
    }

    @Override
    public BasicFileAttributes attributes(Path name) throws IOException {
        return stream.getFileAttributeView(name, BasicFileAttributeView.class, NOFOLLOW_LINKS)
                .readAttributes();
    }

    @Override
    public SeekableByteChannel read(Path name) throws IOException {
        return Opening.seekable(Opening.watched(() -> stream.newByteChannel(name, READ), otherEnd(name)));
    }

    private Opening.Open<SeekableByteChannel> otherEnd(Path name) {
        return () -> stream.newByteChannel(name, BOTH);
    }

    @Override
    public SeekableByteChannel create(Path name, boolean isPrivate) throws IOException {
        return stream.newByteChannel(name, CREATE, isPrivate ? PRIVATE : USUAL);
    }

    @Override
    public Optional<Set<PosixFilePermission>> permissions(Path name) throws IOException {
        PosixFileAttributeView view = posix(name);
        return view == null ? Optional.empty() : Optional.of(view.readAttributes().permissions());
    }

    @Override
    public void permit(Path name, Set<PosixFilePermission> permissions) throws IOException {
        PosixFileAttributeView view = posix(name);
        if (view != null) {
            view.setPermissions(permissions);
        }
    }

    private PosixFileAttributeView posix(Path name) {
        return stream.getFileAttributeView(name, PosixFileAttributeView.class, NOFOLLOW_LINKS);
    }

    @Override
    public void move(Path name, Folder target, Path newName) throws IOException {
        if (!(target instanceof SecureFolder other)) {
            throw new IOException("cannot move between two kinds of directories");
        }
        stream.move(name, other.stream, newName);
    }

    @Override
    public void delete(Path name) throws IOException {
        stream.deleteFile(name);
    }

    @Override
    public List<Path> names() throws IOException {
        return listed(stream);
    }

    static List<Path> listed(DirectoryStream<Path> stream) throws IOException {
        List<Path> names = new ArrayList<>();
        try {
            for (Path entry : stream) {
                names.add(entry.getFileName());
                if (names.size() == MOST_NAMES) {
                    break;
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
