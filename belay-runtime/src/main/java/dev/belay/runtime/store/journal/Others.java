package dev.belay.runtime.store.journal;

import java.time.Duration;

/** What a store knows of the other owners of its rows. Thread-safe. */
public interface Others {

    /** An owner that lives as long as its process. */
    Duration ALWAYS = Duration.ofSeconds(Long.MAX_VALUE);

    /** An owner whose claims do not hold any more. */
    Duration NEVER = Duration.ofSeconds(Long.MIN_VALUE);

    /** Owners that live as long as their processes, and tell nothing. Their deaths change no version, so they are searched for often. */
    Others SILENT = new Others() {

        @Override
        public Duration sureFor(String owner) {
            return ALWAYS;
        }

        @Override
        public void onNews(Runnable news) {}

        @Override
        public Looks looks(Duration usual) {
            return new Looks(usual, 5);
        }
    };

    /**
     * How often to look for writes of others.
     *
     * @param every the time between two looks at the version
     * @param perSearch how many looks until work is searched for even if the version is the same
     */
    record Looks(Duration every, int perSearch) {}

    /**
     * How long this owner can still be sure that no other takes what it has. If that is not positive, the owner begins nothing and lets
     * go of resources. {@link #NEVER} for an owner that it was before, or that was declared dead.
     */
    Duration sureFor(String owner);

    /** Calls this when another owner may have written or died. Such calls may come late, or not at all. Returns quickly. */
    void onNews(Runnable news);

    /** How often to look, given how often is right where a look is cheap. */
    Looks looks(Duration usual);
}
