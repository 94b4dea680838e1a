package dev.belay.store.jdbc.postgres;

import dev.belay.runtime.store.journal.Others;
import java.time.Duration;

/**
 * What a node knows of the others: by its lease, and by notifications.
 *
 * @param lease how long the node counts as alive
 * @param news whether it hears the others
 */
record PostgresOthers(Lease lease, News news) implements Others {

    /** The version also tells of deaths, so searches are seldom needed. */
    private static final Looks HEARD = new Looks(Duration.ofSeconds(5), 6);
    private static final Looks DEAF = new Looks(Duration.ofMillis(500), 10);

    @Override
    public Duration sureFor(String owner) {
        return lease.sureFor(owner);
    }

    @Override
    public void onNews(Runnable call) {
        news.listen(call);
    }

    @Override
    public Looks looks(Duration usual) {
        return news.isHeard() ? HEARD : DEAF;
    }
}
