package dev.belay.schema.pattern;

import dev.belay.schema.pattern.PatternNode.Chars;
import dev.belay.schema.pattern.PatternNode.Choice;
import dev.belay.schema.pattern.PatternNode.Edge;
import dev.belay.schema.pattern.PatternNode.Look;
import dev.belay.schema.pattern.PatternNode.Repeat;
import dev.belay.schema.pattern.PatternNode.Sequence;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * A regular expression as programs: one for the whole, and one for each look ahead or behind. The programs of looks inside
 * others come first. Thread-safe: immutable.
 *
 * @param main the whole
 * @param looks the looks, in the order in which they must be run
 * @param size the instructions of all programs
 */
public record CompiledPattern(Program main, List<Program> looks, int size) {

    /** Instructions of one expression; a bound of memory, and of the time for one character. */
    public static final int MOST_INSTRUCTIONS = 10_000;

    private static final long FAR_TOO_MANY = 1_000_000_000;

    /** Reads and expands an expression; {@link IllegalArgumentException} if it is none or too large. */
    public static CompiledPattern of(String expression, boolean anyCase) {
        PatternNode whole = PatternParser.parse(expression, anyCase);
        long size = 1 + size(whole) + looksIn(whole);
        if (size > MOST_INSTRUCTIONS) {
            throw new IllegalArgumentException("written out it has "
                    + (size >= FAR_TOO_MANY ? "over a billion" : size) + " instructions, at most "
                    + MOST_INSTRUCTIONS + " are allowed; use smaller numbers of repetitions");
        }
        var compiler = new Compiler();
        Program main = compiler.program(whole, false);
        return new CompiledPattern(main, compiler.looks, (int) size);
    }

    /** The instructions that a part takes, found without writing them. */
    private static long size(PatternNode node) {
        long size = switch (node) {
            case Chars chars -> 1;
            case Edge edge -> 1;
            case Look look -> 1;
            case Sequence(var parts) -> parts.stream().mapToLong(CompiledPattern::size).sum();
            case Choice(var branches) ->
                2L * (branches.size() - 1) + branches.stream().mapToLong(CompiledPattern::size).sum();
            case Repeat repeat -> {
                long body = size(repeat.body());
                long needed = body * repeat.least();
                yield !repeat.endless()
                        ? needed + (body + 1) * (repeat.most() - repeat.least())
                        : repeat.least() == 0 ? body + 2 : needed + 1;
            }
        };
        return Math.min(size, FAR_TOO_MANY);
    }

    /** The instructions of the looks in a part; each is a program of its own, once, however often it is repeated. */
    private static long looksIn(PatternNode node) {
        long size = switch (node) {
            case Chars chars -> 0;
            case Edge edge -> 0;
            case Look look -> 1 + size(look.body()) + looksIn(look.body());
            case Sequence(var parts) -> parts.stream().mapToLong(CompiledPattern::looksIn).sum();
            case Choice(var branches) -> branches.stream().mapToLong(CompiledPattern::looksIn).sum();
            case Repeat repeat -> looksIn(repeat.body());
        };
        return Math.min(size, FAR_TOO_MANY);
    }

    /** Writes programs. A look is found again by identity, since the parts of a repetition are written several times. */
    private static final class Compiler {

        private final List<Program> looks = new ArrayList<>();
        private final IdentityHashMap<Look, Integer> numbers = new IdentityHashMap<>();

        Program program(PatternNode whole, boolean backwards) {
            var program = new Program(1 + (int) size(whole), backwards, beginsAtStart(whole));
            write(whole, program);
            program.add(Program.MATCH, 0, 0);
            return program;
        }

        private void write(PatternNode node, Program out) {
            switch (node) {
                case Chars(CharSet set) -> out.add(set);
                case Edge edge -> out.add(switch (edge) {
                    case START -> Program.START;
                    case END -> Program.END;
                    case WORD -> Program.WORD;
                    case NO_WORD -> Program.NO_WORD;
                }, 0, 0);
                case Look look -> out.add(Program.LOOK, number(look), look.negative() ? 1 : 0);
                case Sequence(var parts) -> {
                    for (PatternNode part : out.backwards() ? parts.reversed() : parts) {
                        write(part, out);
                    }
                }
                case Choice(var branches) -> choice(branches, out);
                case Repeat repeat -> repeat(repeat, out);
            }
        }

        private int number(Look look) {
            Integer known = numbers.get(look);
            if (known == null) {
                looks.add(program(look.body(), !look.behind()));
                known = looks.size() - 1;
                numbers.put(look, known);
            }
            return known;
        }

        private void choice(List<PatternNode> branches, Program out) {
            List<Integer> jumps = new ArrayList<>();
            for (PatternNode branch : branches.subList(0, branches.size() - 1)) {
                int split = out.add(Program.SPLIT, 0, 0);
                write(branch, out);
                jumps.add(out.add(Program.JUMP, 0, 0));
                out.lead(split, split + 1, out.length());
            }
            write(branches.getLast(), out);
            jumps.forEach(jump -> out.lead(jump, out.length(), 0));
        }

        private void repeat(Repeat repeat, Program out) {
            int last = out.length();
            for (int i = 0; i < repeat.least(); i++) {
                last = out.length();
                write(repeat.body(), out);
            }
            if (!repeat.endless()) {
                List<Integer> splits = new ArrayList<>();
                for (int i = repeat.least(); i < repeat.most(); i++) {
                    splits.add(out.add(Program.SPLIT, 0, 0));
                    write(repeat.body(), out);
                }
                splits.forEach(split -> out.lead(split, split + 1, out.length()));
            } else if (repeat.least() > 0) {
                out.add(Program.SPLIT, last, out.length() + 1);
            } else {
                int split = out.add(Program.SPLIT, 0, 0);
                write(repeat.body(), out);
                out.add(Program.JUMP, split, 0);
                out.lead(split, split + 1, out.length());
            }
        }

        private static boolean beginsAtStart(PatternNode node) {
            return switch (node) {
                case Edge edge -> edge == Edge.START;
                case Sequence(var parts) -> !parts.isEmpty() && beginsAtStart(parts.getFirst());
                case Choice(var branches) -> branches.stream().allMatch(Compiler::beginsAtStart);
                case Repeat repeat -> repeat.least() > 0 && beginsAtStart(repeat.body());
                case Chars chars -> false;
                case Look look -> false;
            };
        }
    }
}
