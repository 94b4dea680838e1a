package dev.belay.schema.pattern;

import org.jspecify.annotations.Nullable;

/**
 * Instructions for a {@link Search}. Filled once by its compiler, then only read.
 *
 * <p>An instruction is a code with two arguments. After one that takes a character or holds, the next in order follows.
 */
final class Program {

    /** Takes a character of its set. */
    static final int CHARS = 0;
    /** Goes on at both arguments. */
    static final int SPLIT = 1;
    /** Goes on at the first argument. */
    static final int JUMP = 2;
    /** Holds at the start of the text. */
    static final int START = 3;
    /** Holds at the end of the text. */
    static final int END = 4;
    /** Holds where a word begins or ends. */
    static final int WORD = 5;
    /** Holds where none does. */
    static final int NO_WORD = 6;
    /** Holds where a look does; the arguments are its number and whether it is negative. */
    static final int LOOK = 7;
    /** The end: all of it matched. */
    static final int MATCH = 8;

    private final byte[] codes;
    private final int[] first;
    private final int[] second;
    private final @Nullable CharSet[] sets;
    private final boolean backwards;
    private final boolean anchored;
    private int length;

    Program(int size, boolean backwards, boolean anchored) {
        codes = new byte[size];
        first = new int[size];
        second = new int[size];
        sets = new CharSet[size];
        this.backwards = backwards;
        this.anchored = anchored;
    }

    int add(int code, int one, int two) {
        codes[length] = (byte) code;
        lead(length, one, two);
        return length++;
    }

    void add(CharSet set) {
        sets[length] = set;
        add(CHARS, 0, 0);
    }

    /** Sets the arguments of an instruction, once it is known where it leads. */
    void lead(int at, int one, int two) {
        first[at] = one;
        second[at] = two;
    }

    int code(int at) {
        return codes[at];
    }

    int first(int at) {
        return first[at];
    }

    int second(int at) {
        return second[at];
    }

    @SuppressWarnings("NullAway") // every CHARS has its set
    CharSet set(int at) {
        return sets[at];
    }

    int length() {
        return length;
    }

    /** Whether it reads the text from its end to its start. */
    boolean backwards() {
        return backwards;
    }

    /** Whether a match can begin at the start of the text only. */
    boolean anchored() {
        return anchored && !backwards;
    }
}
