package dev.belay.toolbox.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A directory that is only known by its path, for file systems that cannot hold a directory open. The path is resolved before and
 * after each opening and must not have changed. Between the two checks another process could redirect an opening; that file is
 * then closed unread. {@code docs/toolbox.md} describes this limit.
 */
final class CheckedFolder implements Folder {

    private final Path directory;

    CheckedFolder(Path directory) throws IOException {
        this.directory = directory;
        check();
    }

    private void check() throws IOException {
        if (!directory.toRealPath().equals(directory)) {
            throw new NotDirectoryException(directory.getFileName() + " (it has become a link)");
        }
    }

    @Override
    public Folder enter(Path name) throws IOException {
        Path inner = directory.resolve(name);
        if (!attributes(name).isDirectory()) {
            throw new NotDirectoryException(name.toString());
        }
        return new CheckedFolder(inner);
    }

    @Override
    public BasicFileAttributes attributes(Path name) throws IOException {
        check();
        return Files.readAttributes(directory.resolve(name), BasicFileAttributes.class, NOFOLLOW_LINKS);
    }

    @Override
    public SeekableByteChannel read(Path name) throws IOException {
        Path file = directory.resolve(name);
        return checked(Opening.seekable(Opening.watched(
                () -> Files.newByteChannel(file, Set.of(StandardOpenOption.READ, NOFOLLOW_LINKS)),
                () -> Files.newByteChannel(file,
                        Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, NOFOLLOW_LINKS)))));
    }

    @Override
    public SeekableByteChannel create(Path name, boolean isPrivate) throws IOException {
        check();
        return checked(Files.newByteChannel(directory.resolve(name),
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, NOFOLLOW_LINKS)));
    }

    private SeekableByteChannel checked(SeekableByteChannel channel) throws IOException {
        try {
            check();
            return channel;
        } catch (IOException moved) {
            channel.close();
            throw moved;
        }
    }

    @Override
    public Optional<Set<PosixFilePermission>> permissions(Path name) throws IOException {
        PosixFileAttributeView view = posix(name);
        return view == null ? Optional.empty() : Optional.of(view.readAttributes().permissions());
    }

    @Override
    public void permit(Path name, Set<PosixFilePermission> permissions) throws IOException {
        check();
        // setting permissions follows a link, so the name must not be one
        if (posix(name) != null && attributes(name).isRegularFile()) {
            Files.setPosixFilePermissions(directory.resolve(name), permissions);
        }
    }

    private PosixFileAttributeView posix(Path name) {
        return Files.getFileAttributeView(directory.resolve(name), PosixFileAttributeView.class,
                NOFOLLOW_LINKS);
    }

    @Override
    public void move(Path name, Folder target, Path newName) throws IOException {
        if (!(target instanceof CheckedFolder other)) {
            throw new IOException("cannot move between two kinds of directories");
        }
        check();
        other.check();
        Files.move(directory.resolve(name), other.directory.resolve(newName), StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(Path name) throws IOException {
        check();
        Files.delete(directory.resolve(name));
    }

    @Override
    public List<Path> names() throws IOException {
        check();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            return SecureFolder.listed(stream);
        }
    }

    @Override
    public void close() {
        // holds nothing open
    }
}
