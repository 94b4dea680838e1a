package dev.belay.cli.shell;

import java.io.IOException;

/** The reader of standard output is gone. */
public final class ClosedOutputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ClosedOutputException(IOException cause) {
        super("standard output is closed", cause);
    }
}
