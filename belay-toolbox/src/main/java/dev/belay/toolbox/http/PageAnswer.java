package dev.belay.toolbox.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The answer of a server, read up to a bound. Reads the forms of HTTP/1.1 that a plain GET can receive.
 *
 * @param status the status code
 * @param headers header lines, names in lower case; the last of several wins
 * @param body the part of the body that was read
 * @param cut whether the body is longer
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PageAnswer(int status, TreeMap<String, String> headers, byte[] body, boolean cut) {

    private static final int LONGEST_LINE = 16 << 10;
    private static final int MOST_HEADERS = 200;

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** Reads an answer; the message of an {@link IOException} says what is wrong with it. */
    static PageAnswer read(InputStream in, int largest) throws IOException {
        while (true) {
            int status = status(line(in));
            TreeMap<String, String> headers = headers(in);
            if (status >= 200) {
                return body(in, status, headers, largest);
            }
            if (status == 101) {
                throw new IOException("the server wants to speak another protocol");
            }
        }
    }

    private static int status(String line) throws IOException {
        if (!line.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
            throw new IOException("it does not begin like HTTP");
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private static TreeMap<String, String> headers(InputStream in) throws IOException {
        TreeMap<String, String> headers = new TreeMap<>();
        for (int count = 0; count <= MOST_HEADERS; count++) {
            String line = line(in);
            if (line.isEmpty()) {
                return headers;
            }
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        throw new IOException("it has more than " + MOST_HEADERS + " header lines");
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("it ends in the middle");
            }
            if (b == '\n') {
                int length = line.length();
                return length > 0 && line.charAt(length - 1) == '\r'
                        ? line.substring(0, length - 1)
                        : line.toString();
            }
            if (line.length() == LONGEST_LINE) {
                throw new IOException("a line in its head has over " + LONGEST_LINE + " bytes");
            }
            line.append((char) b);
        }
    }

    private static PageAnswer body(InputStream in, int status, TreeMap<String, String> headers, int largest)
            throws IOException {
        var body = new ByteArrayOutputStream();
        boolean cut;
        if (status == 204 || status == 304) {
            cut = false;
        } else if (headers.getOrDefault("transfer-encoding", "")
                .toLowerCase(Locale.ROOT)
                .contains("chunked")) {
            cut = chunks(in, body, largest);
        } else {
            long length = length(headers);
            long wanted = Math.min(length, largest);
            long read = copy(in, body, wanted);
            if (length == Long.MAX_VALUE) {
                cut = read == wanted && in.read() >= 0;
            } else if (read < wanted) {
                throw new IOException("it ends after " + read + " of " + length + " bytes");
            } else {
                cut = length > wanted;
            }
        }
        return new PageAnswer(status, headers, body.toByteArray(), cut);
    }

    /** The announced length of the body; the maximum if none is announced. */
    private static long length(TreeMap<String, String> headers) throws IOException {
        String length = headers.get("content-length");
        if (length == null) {
            return Long.MAX_VALUE;
        }
        try {
            long value = Long.parseLong(length);
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException notOne) {
            // refused below
        }
        throw new IOException("its length is said to be \"" + length + "\"");
    }

    private static boolean chunks(InputStream in, ByteArrayOutputStream body, int largest)
            throws IOException {
        while (true) {
            String size = line(in);
            int semicolon = size.indexOf(';');
            String digits = (semicolon < 0 ? size : size.substring(0, semicolon)).strip();
            if (!digits.matches("[0-9a-fA-F]{1,8}")) {
                throw new IOException("a piece of it has no length");
            }
            long length = Long.parseLong(digits, 16);
            if (length == 0) {
                return false;
            }
            long wanted = Math.min(length, largest - body.size());
            if (copy(in, body, wanted) < wanted) {
                throw new IOException("it ends in the middle of a piece");
            }
            if (wanted < length || body.size() == largest) {
                return true;
            }
            line(in);
        }
    }

    private static long copy(InputStream in, ByteArrayOutputStream body, long wanted) throws IOException {
        byte[] buffer = new byte[16 << 10];
        long left = wanted;
        while (left > 0) {
            int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (read < 0) {
                break;
            }
            body.write(buffer, 0, read);
            left -= read;
        }
        return wanted - left;
    }
}
