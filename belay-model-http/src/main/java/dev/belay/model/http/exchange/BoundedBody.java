package dev.belay.model.http.exchange;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The bytes of one answer, up to a bound: a model that never stops must not fill the memory. Confined to one answer. */
public final class BoundedBody extends FilterInputStream {

    private final long most;
    private long seen;

    public BoundedBody(InputStream in, long most) {
        super(in);
        this.most = most;
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        if (read >= 0 && ++seen > most) {
            throw new AnswerTooLongException(most);
        }
        return read;
    }

    /** Returns all bytes up to the bound before it throws, so that the partial answer can be kept. */
    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (length > 0 && seen == most) {
            return read(); // the end, or one byte too many
        }
        int count = super.read(buffer, offset, (int) Math.min(length, most - seen));
        seen += Math.max(0, count);
        return count;
    }

    /** An answer that is longer, unpacked, than the bound. */
    static final class AnswerTooLongException extends IOException {

        private static final long serialVersionUID = 1L;

        AnswerTooLongException(long most) {
            super("more than " + most + " bytes in one answer");
        }
    }
}
