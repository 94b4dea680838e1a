package dev.belay.schema.rules;

/**
 * Bounds the work of a regular expression that reads no character. Counting character reads stops {@code (a+)+}, but not
 * {@code (|)(|)…(|)(?!)}, which tries two to the power of its length ways to match nothing. Such an expression is refused.
 *
 * <p>For each part four numbers are estimated, never too low: the ways to pass it without a read and the work of trying them,
 * starting before it; and the same starting inside it, right after a read. They multiply along a sequence until something must
 * be read, so that only long runs of optional parts with choices inside come out large.
 */
public final class PatternCost {

    /** Work between two reads; more than that has no use. */
    static final double MOST_WORK = 1_000;

    private final String expression;
    private int at;

    private PatternCost(String expression) {
        this.expression = expression;
    }

    /** The work at each start in a text before something is read; throws {@link IllegalArgumentException} if it is too much. */
    public static double check(String expression) {
        Cost cost = new PatternCost(expression).choice();
        if (cost.work > MOST_WORK || cost.innerWork > MOST_WORK) {
            throw new IllegalArgumentException("it has too many ways to match nothing");
        }
        return cost.work;
    }

    private record Cost(double ways, double work, double innerWays, double innerWork) {

        static final Cost READ = new Cost(0, 1, 1, 0);
        static final Cost NOTHING = new Cost(1, 1, 0, 0);

        Cost then(Cost next) {
            return new Cost(ways * next.ways, work + ways * next.work,
                    Math.max(innerWays * next.ways, next.innerWays),
                    Math.max(innerWork + innerWays * next.work, next.innerWork));
        }

        Cost or(Cost other) {
            return new Cost(ways + other.ways, work + other.work, Math.max(innerWays, other.innerWays),
                    Math.max(innerWork, other.innerWork));
        }

        /** Repeated: a pass without progress ends the optional part at once, but not the part that must be repeated. */
        Cost repeated(int least, boolean more) {
            double power = Math.pow(ways, least);
            double sum = ways == 1 ? least : least == 0 ? 0 : ways == 0 ? 1 : (power - 1) / (ways - 1);
            double allWays = more ? power * (ways + 1) : power;
            double allWork = work * sum + (more ? power * (work + 1) : 0);
            double rest = Math.max(1, power) * (more ? ways + 1 : 1);
            return new Cost(allWays, allWork, innerWays * rest, innerWork + innerWays * allWork);
        }

        /** As an assertion: passes in one way, wherever the inner part ended. */
        Cost asserted() {
            return new Cost(1, work + innerWork + 1, 1, innerWork);
        }
    }

    private Cost choice() {
        Cost cost = sequence();
        while (at < expression.length() && expression.charAt(at) == '|') {
            at++;
            cost = cost.or(sequence());
        }
        return cost;
    }

    private Cost sequence() {
        Cost cost = Cost.NOTHING;
        while (at < expression.length() && expression.charAt(at) != '|' && expression.charAt(at) != ')') {
            cost = cost.then(quantified(atom()));
        }
        return cost;
    }

    private Cost atom() {
        char c = expression.charAt(at++);
        return switch (c) {
            case '(' -> group();
            case '[' -> {
                skipClass();
                yield Cost.READ;
            }
            case '\\' -> escape();
            case '^', '$' -> Cost.NOTHING;
            default -> Cost.READ;
        };
    }

    private Cost group() {
        boolean assertion = false;
        if (next("?<=") || next("?<!") || next("?=") || next("?!")) {
            assertion = true;
        } else if (next("?<")) {
            at = Math.max(at, expression.indexOf('>', at) + 1);
        } else if (next("?") && !next(">")) {
            while (at < expression.length() && expression.charAt(at) != ':' && expression.charAt(at) != ')') {
                if (expression.charAt(at++) == 'x') {
                    throw new IllegalArgumentException("the flag x is not supported");
                }
            }
            next(":");
        }
        Cost inner = choice();
        next(")");
        return assertion ? inner.asserted() : inner;
    }

    private void skipClass() {
        next("^");
        next("]");
        int open = 1;
        while (at < expression.length() && open > 0) {
            char c = expression.charAt(at++);
            if (c == '\\') {
                escape();
            } else if (c == '[') {
                open++;
                next("^");
                next("]");
            } else if (c == ']') {
                open--;
            }
        }
    }

    private Cost escape() {
        if (at == expression.length()) {
            return Cost.READ;
        }
        char c = expression.charAt(at++);
        switch (c) {
            case 'Q' -> {
                int start = at;
                int end = expression.indexOf("\\E", at);
                at = end < 0 ? expression.length() : end + 2;
                return (end < 0 ? at : end) > start ? Cost.READ : Cost.NOTHING;
            }
            case 'p', 'P', 'x', 'N' -> skip('{', '}');
            case 'c' -> at = Math.min(at + 1, expression.length());
            case 'k' -> {
                skip('<', '>');
                return Cost.NOTHING;
            }
            default -> {
                boolean reads = "bBAzZG123456789".indexOf(c) < 0;
                return reads ? Cost.READ : Cost.NOTHING;
            }
        }
        return Cost.READ;
    }

    private void skip(char open, char close) {
        if (at < expression.length() && expression.charAt(at) == open) {
            at = Math.max(at, expression.indexOf(close, at) + 1);
        }
    }

    private Cost quantified(Cost atom) {
        Cost cost;
        if (next("*") || next("?")) {
            cost = atom.repeated(0, true);
        } else if (next("+")) {
            cost = atom.repeated(1, true);
        } else if (next("{")) {
            int end = Math.max(at, expression.indexOf('}', at));
            String[] bounds = expression.substring(at, Math.min(end, expression.length())).split(",", -1);
            at = Math.min(end + 1, expression.length());
            cost = atom.repeated(parse(bounds[0]), bounds.length > 1);
        } else {
            return atom;
        }
        if (!next("?")) {
            next("+");
        }
        return cost;
    }

    private static int parse(String bound) {
        try {
            return Integer.parseInt(bound);
        } catch (NumberFormatException tooLarge) {
            return Integer.MAX_VALUE;
        }
    }

    private boolean next(String text) {
        if (expression.startsWith(text, at)) {
            at += text.length();
            return true;
        }
        return false;
    }
}
