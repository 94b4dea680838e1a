package dev.belay.toolbox.command;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Keeps the beginning and the end of a stream of any length, and counts the bytes between. Thread-safe. */
final class HeadTail {

    private final byte[] head;
    private final byte[] tail;
    private long seen;

    HeadTail(int head, int tail) {
        this.head = new byte[head];
        this.tail = new byte[tail];
    }

    synchronized void add(byte[] bytes, int length) {
        int at = 0;
        if (seen < head.length) {
            at = (int) Math.min(length, head.length - seen);
            System.arraycopy(bytes, 0, head, (int) seen, at);
            seen += at;
        }
        int skipped = Math.max(0, length - at - tail.length);
        seen += skipped;
        for (int from = at + skipped; from < length; from++) {
            tail[(int) ((seen++ - head.length) % tail.length)] = bytes[from];
        }
    }

    /** How many bytes there were. */
    synchronized long seen() {
        return seen;
    }

    /** Whether nothing was left out. */
    synchronized boolean isWhole() {
        return seen <= (long) head.length + tail.length;
    }

    /** The kept bytes as text, with a line in brackets in place of the missing ones. */
    synchronized String text() {
        byte[] end = end();
        if (isWhole()) {
            byte[] all = Arrays.copyOf(head, (int) Math.min(seen, head.length) + end.length);
            System.arraycopy(end, 0, all, all.length - end.length, end.length);
            return new String(all, StandardCharsets.UTF_8);
        }
        int stop = lastLine(head);
        int start = firstLine(end);
        long left = seen - stop - (end.length - start);
        return new String(head, 0, stop, StandardCharsets.UTF_8) + "\n[" + left + " bytes left out]\n"
                + new String(end, start, end.length - start, StandardCharsets.UTF_8);
    }

    /** The last bytes in order. */
    private byte[] end() {
        long after = Math.max(0, seen - head.length);
        if (after <= tail.length) {
            return Arrays.copyOf(tail, (int) after);
        }
        int split = (int) (after % tail.length);
        byte[] end = Arrays.copyOfRange(tail, split, split + tail.length);
        System.arraycopy(tail, 0, end, tail.length - split, split);
        return end;
    }

    /** After the last whole line, or after the last whole character if it is one long line. */
    private static int lastLine(byte[] bytes) {
        for (int at = bytes.length; at > bytes.length / 2; at--) {
            if (bytes[at - 1] == '\n') {
                return at - 1;
            }
        }
        int at = bytes.length;
        while (at > 0 && (bytes[at - 1] & 0x80) != 0) {
            at--;
        }
        return at == 0 ? bytes.length : at;
    }

    private static int firstLine(byte[] bytes) {
        for (int at = 0; at < bytes.length / 2; at++) {
            if (bytes[at] == '\n') {
                return at + 1;
            }
        }
        int at = 0;
        while (at < bytes.length && (bytes[at] & 0xc0) == 0x80) {
            at++;
        }
        return at;
    }
}
