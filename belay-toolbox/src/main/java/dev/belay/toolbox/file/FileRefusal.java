package dev.belay.toolbox.file;

import dev.belay.schema.Shown;
import dev.belay.schema.Wording;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolFailure.Kind;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Makes refusals whose message tells a model what to do instead. Stateless. */
final class FileRefusal {

    private static final int LONGEST_PATH = 200;

    private FileRefusal() {}

    static ToolException outside(String path) {
        return no(Kind.PERMISSION_DENIED, "outside_workspace", quoted(path)
                + " is outside the workspace; use a path relative to it, such as src/main");
    }

    static ToolException secret(String path) {
        return no(Kind.PERMISSION_DENIED, "protected_path", quoted(path)
                + " is protected: it may hold secrets or what only a program should touch. Work without it, "
                + "or ask the user");
    }

    static ToolException fixed(String path) {
        return no(Kind.PERMISSION_DENIED, "protected_path", quoted(path)
                + " decides what the tools may do or what is started, so no tool writes it; it may be read. Work "
                + "without the change, or ask the user to make it");
    }

    static ToolException badPath(String path, String why) {
        return no(Kind.INVALID_REQUEST, "bad_path", quoted(path) + " cannot be a path: " + why);
    }

    static ToolException missing(String path) {
        return no(Kind.INVALID_REQUEST, "path_not_found",
                "there is no " + quoted(path) + "; list_dir or glob show what there is");
    }

    static ToolException notAFile(String path, String what) {
        return no(Kind.INVALID_REQUEST, "not_a_file", quoted(path) + " is " + what + ", not a regular file");
    }

    static ToolException notADirectory(String path) {
        return no(Kind.INVALID_REQUEST, "not_a_directory",
                quoted(path) + " is not a directory; read_file reads a file");
    }

    static ToolException belowFile(String path, String file) {
        return no(Kind.INVALID_REQUEST, "not_a_directory", quoted(path) + " cannot exist, because "
                + quoted(file) + " is not a directory; use a path that does not go through it");
    }

    static ToolException denied(String path) {
        return no(Kind.PERMISSION_DENIED, "access_denied",
                "the operating system does not allow " + quoted(path));
    }

    static ToolException tooFar(String path, int line, long reached) {
        return no(Kind.RESOURCE_LIMIT, "file_too_large", "line " + line + " of " + quoted(path)
                + " is too far from its beginning: reading stopped in line " + reached
                + "; read an earlier line, or find lines with grep");
    }

    static ToolException notText(String path, String why) {
        return no(Kind.INVALID_REQUEST, "not_text", quoted(path) + " is not a text file (" + why + ")");
    }

    static ToolException tooLarge(String path, long size, int most) {
        return no(Kind.RESOURCE_LIMIT, "file_too_large", quoted(path) + " has " + size
                + " bytes; files of at most " + most + " bytes can be changed");
    }

    static ToolException moved(String path) {
        return no(Kind.UNAVAILABLE, "path_changed", "something on the way to " + quoted(path)
                + " changed while it was opened, so nothing was done; try again");
    }

    static ToolException changed(String path, String how) {
        return no(Kind.UNAVAILABLE, "prepared_tool_mismatch", quoted(path) + " " + how
                + " since this call was prepared, so nothing was done; look at it again and decide anew");
    }

    static ToolException otherWorkspace(String path) {
        return no(Kind.UNAVAILABLE, "prepared_tool_mismatch", "the call about " + quoted(path)
                + " was prepared for another workspace, so nothing was done; call again");
    }

    static ToolException tooMuch(String path, long size, int most) {
        return no(Kind.RESOURCE_LIMIT, "file_too_large", quoted(path) + " would have " + size
                + " bytes; files of at most " + most + " bytes can be written. Nothing was changed");
    }

    static ToolException readOnly(String path) {
        return no(Kind.PERMISSION_DENIED, "read_only_file", quoted(path)
                + " is read-only, so nothing was written; write to another file, or ask the user to make it writable");
    }

    static ToolException noMatch(String path, String hint) {
        return no(Kind.INVALID_REQUEST, "text_not_found", "the text to find does not occur in " + quoted(path)
                + "; it must be the same to the last blank and line break" + hint + ". Nothing was changed");
    }

    static ToolException manyMatches(String path, int count) {
        return no(Kind.INVALID_REQUEST, "text_not_unique", "the text to find occurs " + count + " times in "
                + quoted(path)
                + "; add lines around it until it is unique, or set all to true. Nothing was changed");
    }

    static ToolException badEdit(String path, String why) {
        return no(Kind.INVALID_REQUEST, "bad_edit", "the edit of " + quoted(path) + " cannot be made: " + why
                + ". Nothing was changed");
    }

    static ToolException noHunk(String path, int hunk, String why) {
        return no(Kind.INVALID_REQUEST, "text_not_found",
                "hunk " + hunk + " of the patch does not fit " + quoted(path)
                        + ": " + why
                        + ". Read the file again, or send find and replace. Nothing was changed");
    }

    static ToolException badPattern(String pattern, String why) {
        return no(Kind.INVALID_REQUEST, "bad_pattern",
                "\"" + Shown.inLine(pattern, LONGEST_PATH) + "\" is not a usable pattern: " + why);
    }

    /** The refusal for a failure of the file system; an interruption is thrown unchanged, because it is no failure. */
    static Exception because(String path, IOException e) {
        return switch (e) {
            case ClosedByInterruptException interrupted -> interrupted;
            case NoSuchFileException missing -> missing(path);
            case AccessDeniedException denied -> denied(path);
            case FileSystemException busy when reason(busy).contains("resource busy") -> mounted(path, busy);
            default -> new ToolException(ToolFailure.of(Kind.IO, "file_failed",
                    quoted(path) + " could not be used: " + reason(e)), e);
        };
    }

    /** Whether a directory could not be opened for a reason of this process: nothing on the way has changed. */
    static boolean isOurs(IOException e) {
        return e instanceof AccessDeniedException || reason(e).contains("Too many open files");
    }

    /** The refusal for a file that is a mount point of its own, which cannot be replaced. */
    private static ToolException mounted(String path, IOException e) {
        return new ToolException(ToolFailure.of(Kind.IO, "file_failed", quoted(path)
                + " cannot be replaced, because it is mounted as a file of its own or in use (" + reason(e)
                + "), so nothing was written; write to another file, or ask the user to mount its directory instead"),
                e);
    }

    /** The reason without the path, which may be absolute. */
    static String reason(IOException e) {
        String reason = e instanceof FileSystemException named ? named.getReason() : Wording.of(e);
        return reason == null ? e.getClass().getSimpleName() : Shown.inLine(reason, LONGEST_PATH);
    }

    private static ToolException no(Kind kind, String code, String message) {
        return new ToolException(ToolFailure.of(kind, code, message));
    }

    private static String quoted(String path) {
        return "\"" + Shown.inLine(path, LONGEST_PATH) + "\"";
    }
}
