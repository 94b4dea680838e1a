package dev.belay.runtime.operate;

import dev.belay.runtime.operate.SessionEntry.State;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.law.OperatorReads;
import dev.belay.runtime.store.law.OperatorReads.ActiveScope;
import dev.belay.runtime.store.law.OperatorReads.SessionRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists sessions with what they wait for.
 *
 * @param store reads them
 * @param agents which this program defines; empty if it runs nothing, so that each agent may be defined elsewhere
 */
public record SessionList(Store store, Set<String> agents) {

    /** Rows that one page looks at if there is a filter: a few milliseconds. */
    private static final int LOOKED_AT = 500;

    /** A page of the sessions that a filter lets through, in the order of their names. */
    public Page<SessionEntry> page(SessionFilter filter, @Nullable String after, int most) {
        int looked = filter.isAll() ? most : Math.max(most, LOOKED_AT);
        String prefix = filter.prefix();
        boolean first = after == null && !prefix.isEmpty();
        List<SessionRow> rows = store
                .read(OperatorReads.sessions(after == null ? prefix : after, first ? prefix : null, looked));
        List<SessionEntry> items = new ArrayList<>();
        String last = null;
        for (SessionRow row : rows) {
            if (!row.head().id().value().startsWith(prefix)) {
                return new Page<>(items, null);
            }
            if (items.size() == most) {
                return new Page<>(items, last);
            }
            SessionEntry entry = entry(row);
            if (filter.has(entry)) {
                items.add(entry);
            }
            last = row.head().id().value();
        }
        return new Page<>(items, rows.size() < looked ? null : last);
    }

    private SessionEntry entry(SessionRow row) {
        SessionHead head = row.head();
        ActiveScope active = row.active();
        if (active == null) {
            return new SessionEntry(head, head.profile().closedAt() == null ? State.IDLE : State.CLOSED,
                    null);
        }
        return new SessionEntry(head, switch (active.status()) {
            case RUNNING -> active.left() ? State.READY : State.RUNNING;
            case PARKED -> State.WAITING;
            case STUCK -> State.STUCK;
            case READY, ENDED -> State.READY;
        }, WaitsFor.of(active, agents, List.of(head.id().value())));
    }
}
