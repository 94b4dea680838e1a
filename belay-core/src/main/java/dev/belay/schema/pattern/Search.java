package dev.belay.schema.pattern;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a match in one text and counts its steps. Confined to one thread.
 *
 * <p>First, for each look ahead or behind, the places where it holds are found: a look behind is a search whose matches end
 * there, a look ahead the same from the end of the text to its start. After that a look is a question about a bit.
 */
public final class Search {

    /** The answer of a search that finds nothing. */
    public static final int NOWHERE = -1;
    /** The answer of a search that took too many steps. */
    public static final int GAVE_UP = -2;

    /** Instructions for which room is made in one step. */
    private static final int ROOM_PER_STEP = 4;

    private final String text;
    private final int start;
    private final int end;
    private final long allowed;
    private long steps;
    private BitSet[] held = {};

    /**
     * A search in a part of a text.
     *
     * @param text the text
     * @param start where the part starts
     * @param end where it ends; nothing behind is seen
     * @param allowed how many steps it may take
     */
    public Search(String text, int start, int end, long allowed) {
        this.text = text;
        this.start = start;
        this.end = end;
        this.allowed = allowed;
    }

    /** Where the match ends that ends first, or {@link #NOWHERE}, or {@link #GAVE_UP}. */
    public int run(CompiledPattern pattern) {
        List<Program> looks = pattern.looks();
        held = new BitSet[looks.size()];
        for (int i = 0; i < held.length; i++) {
            BitSet places = new BitSet();
            if (new Run(looks.get(i), places).go() == GAVE_UP) {
                return GAVE_UP;
            }
            held[i] = places;
        }
        return new Run(pattern.main(), null).go();
    }

    /** The steps taken: visits of instructions. More than were allowed if it gave up. */
    public long steps() {
        return steps;
    }

    /** Whether an instruction that takes no character holds at a place. */
    private boolean holds(Program program, int instruction, int at) {
        return switch (program.code(instruction)) {
            case Program.START -> at == start;
            case Program.END -> at == end;
            case Program.WORD -> isWord(at - 1) != isWord(at);
            case Program.NO_WORD -> isWord(at - 1) == isWord(at);
            default -> held[program.first(instruction)].get(at - start) != (program.second(instruction) == 1);
        };
    }

    private boolean isWord(int at) {
        return at >= start && at < end && CharSet.WORD.contains(text.charAt(at));
    }

    /** One pass of one program over the text. */
    private final class Run {

        private final Program program;
        private final @Nullable BitSet places;
        /** For each instruction the last pass over a place that visited it. */
        private final int[] visited;
        /** Instructions that wait for a character. */
        private final int[] waiting;
        private final int[] stack;
        private final int[] reached;
        private int reachedCount;
        private int waitingCount;
        private int pass;

        Run(Program program, @Nullable BitSet places) {
            this.program = program;
            this.places = places;
            int size = program.length();
            steps += 1 + size / ROOM_PER_STEP;
            visited = new int[size];
            waiting = new int[size];
            stack = new int[size + 2];
            reached = new int[size];
        }

        int go() {
            boolean backwards = program.backwards();
            int at = backwards ? end : start;
            int last = backwards ? start : end;
            while (true) {
                if (visitAll(at)) {
                    if (places == null) {
                        return at;
                    }
                    places.set(at - start);
                }
                if (steps > allowed) {
                    return GAVE_UP;
                }
                if (at == last || (program.anchored() && waitingCount == 0)) {
                    return NOWHERE;
                }
                int c = backwards ? text.codePointBefore(at) : text.codePointAt(at);
                at += backwards ? -Character.charCount(c) : Character.charCount(c);
                take(c);
            }
        }

        private void take(int c) {
            reachedCount = 0;
            for (int i = 0; i < waitingCount; i++) {
                CharSet set = program.set(waiting[i]);
                steps += set.cost();
                if (set.contains(c)) {
                    reached[reachedCount++] = waiting[i] + 1;
                }
            }
        }

        /** Visits all that is reached at a place, and the start of the program; whether that includes its end. */
        private boolean visitAll(int at) {
            pass++;
            waitingCount = 0;
            boolean matched = (pass == 1 || !program.anchored()) && visit(0, at);
            for (int i = 0; i < reachedCount; i++) {
                matched |= visit(reached[i], at);
            }
            return matched;
        }

        private boolean visit(int from, int at) {
            boolean matched = false;
            int depth = 0;
            stack[depth++] = from;
            while (depth > 0) {
                int here = stack[--depth];
                if (visited[here] == pass) {
                    continue;
                }
                visited[here] = pass;
                steps++;
                int first = program.first(here);
                switch (program.code(here)) {
                    case Program.CHARS -> waiting[waitingCount++] = here;
                    case Program.SPLIT -> {
                        stack[depth++] = first;
                        stack[depth++] = program.second(here);
                    }
                    case Program.JUMP -> stack[depth++] = first;
                    case Program.MATCH -> matched = true;
                    default -> {
                        if (holds(program, here, at)) {
                            stack[depth++] = here + 1;
                        }
                    }
                }
            }
            return matched;
        }
    }
}
