package dev.belay.toolbox.file;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a file belongs to another user than the one of this process or root: that user may give it other content at any time. Where the
 * file system knows no users, none does. Stateless.
 */
public final class FileOwner {

    /** On Linux the directory of this process belongs to its user, also to one without a name. */
    private static final Path SELF = Path.of("/proc/self");

    private static final Set<PosixFilePermission> OTHERS = Set.of(PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_WRITE);

    private FileOwner() {}

    /**
     * The other user that a file belongs to.
     *
     * @param options {@link LinkOption#NOFOLLOW_LINKS} asks for the owner of a link
     */
    public static Optional<String> stranger(Path path, LinkOption... options) throws IOException {
        if (!path.getFileSystem().equals(FileSystems.getDefault())
                || !path.getFileSystem().supportedFileAttributeViews().contains("unix")
                || Integer.valueOf(0).equals(Files.getAttribute(path, "unix:uid", options))) {
            return Optional.empty();
        }
        UserPrincipal owner = Files.getOwner(path, options);
        return owner.equals(user()) ? Optional.empty() : Optional.of(owner.getName());
    }

    /** Why another user may have written a file, in words; empty if none could. */
    public static Optional<String> otherWriter(Path path) throws IOException {
        Optional<String> stranger = stranger(path);
        boolean isOpen = path.getFileSystem().supportedFileAttributeViews().contains("posix")
                && Files.getPosixFilePermissions(path).stream().anyMatch(OTHERS::contains);
        return stranger.map(user -> "it belongs to the user " + user)
                .or(() -> isOpen ? Optional.of("other users can write it") : Optional.empty());
    }

    private static UserPrincipal user() throws IOException {
        return Files.isDirectory(SELF)
                ? Files.getOwner(SELF)
                : FileSystems.getDefault()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(System.getProperty("user.name", ""));
    }
}
