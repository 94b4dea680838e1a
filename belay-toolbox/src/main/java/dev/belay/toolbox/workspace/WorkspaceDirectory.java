package dev.belay.toolbox.workspace;

import dev.belay.BelayException;
import dev.belay.schema.Shown;
import dev.belay.schema.Wording;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Refuses a workspace that is no directory when tools are made for it, and not at their first call. */
public final class WorkspaceDirectory {

    private WorkspaceDirectory() {}

    /** The directory as it was given; {@code bad_workspace} if it is none. */
    public static Path demand(Path directory) {
        try {
            Path real = directory.toRealPath();
            if (!Files.isDirectory(real)) {
                throw new NotDirectoryException(real.toString());
            }
            return directory;
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    /** Says that a directory cannot be a workspace, and why. */
    public static BelayException unusable(Path directory, IOException e) {
        return new BelayException("bad_workspace",
                "the workspace " + directory + " cannot be used: " + reason(e)
                        + "; it must be a directory that exists",
                e);
    }

    private static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "it does not exist";
            case NotDirectoryException file -> "it is not a directory";
            case AccessDeniedException denied -> "the operating system does not allow it";
            case FileSystemException named when named.getReason() != null ->
                Shown.inLine(named.getReason(), 200);
            default -> Shown.inLine(Wording.of(e), 200);
        };
    }
}
