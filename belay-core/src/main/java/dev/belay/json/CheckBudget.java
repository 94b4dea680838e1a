package dev.belay.json;

/**
 * The steps that codecs may take to check what they read or write against patterns. One text has one budget, however many
 * strings it holds. Confined to one call.
 */
public final class CheckBudget {

    private long left;

    private CheckBudget(long steps) {
        this.left = steps;
    }

    /** A budget of some steps. */
    public static CheckBudget of(long steps) {
        return new CheckBudget(steps);
    }

    /** A budget for text that was checked before. */
    static CheckBudget unlimited() {
        return new CheckBudget(Long.MAX_VALUE);
    }

    /** The steps that are left. */
    public long left() {
        return left;
    }

    /** Pays for work; throws {@link JsonMismatchException} if there is too much of it. */
    public void charge(long steps) {
        left -= steps;
        if (left < 0) {
            throw new JsonMismatchException(
                    "the patterns of the texts take too many steps to check; expected fewer or shorter texts");
        }
    }
}
