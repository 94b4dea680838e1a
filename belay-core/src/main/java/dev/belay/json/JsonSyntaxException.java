package dev.belay.json;

/** Text that is not JSON, or is over a limit. Lines and columns count from 1, columns in UTF-16 units. */
public final class JsonSyntaxException extends JsonException {

    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;

    JsonSyntaxException(String problem, int line, int column) {
        super("malformed_json", problem + " (line " + line + ", column " + column + ")");
        this.line = line;
        this.column = column;
    }

    /** The line of the offending character, or of the start of the word, number or name that is refused as a whole. */
    public int line() {
        return line;
    }

    /** The column of that character. */
    public int column() {
        return column;
    }
}
