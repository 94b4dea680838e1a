package dev.belay.runtime.plugin;

/**
 * How a model searches tools that it is not offered.
 *
 * @param share how much of the model's context the offered tools may take, in percent; more of them are left out and found by searching
 * @param hits how many tools one search offers if the model does not say; at most {@link #MOST_HITS}
 */
public record ToolSearchConfig(int share, int hits) {

    /** How many tools one search may offer. */
    public static final int MOST_HITS = 10;

    /** A tenth of the context, and five hits. */
    public static final ToolSearchConfig DEFAULT = new ToolSearchConfig(10, 5);

    private static final int PERCENT = 100;

    /** Refuses what is out of range. */
    public ToolSearchConfig {
        if (share < 1 || share > PERCENT) {
            throw new IllegalArgumentException("the share must be 1 to 100 percent, found " + share);
        }
        if (hits < 1 || hits > MOST_HITS) {
            throw new IllegalArgumentException("hits must be 1 to " + MOST_HITS + ", found " + hits);
        }
    }

    /** The tokens that tools may take in a context of so many. */
    public long budget(long context) {
        return context / PERCENT * share;
    }
}
