package dev.belay.config;

/**
 * Something wrong at one place of a configuration file.
 *
 * @param file the name of the file
 * @param line from 1
 * @param column from 1
 * @param message what is wrong, and what is allowed
 */
public record ConfigProblem(String file, int line, int column, String message) {

    /** The place and the message, as compilers write them: {@code file:line:column: message}. */
    @Override
    public String toString() {
        return file + ":" + line + ":" + column + ": " + message;
    }
}
