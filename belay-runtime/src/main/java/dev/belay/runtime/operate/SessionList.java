package dev.belay.runtime.operate;

import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.operate.SessionEntry.For;
import dev.belay.runtime.operate.SessionEntry.State;
import dev.belay.runtime.operate.SessionEntry.Waits;
import dev.belay.runtime.store.OperatorStore;
import dev.belay.runtime.store.OperatorStore.ActiveTurn;
import dev.belay.runtime.store.OperatorStore.SessionRow;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.TurnScope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists sessions with what they wait for.
 *
 * @param store reads them
 * @param agents which this program defines; empty if it runs nothing, so that each agent may be defined elsewhere
 */
public record SessionList(OperatorStore store, Set<String> agents) {

    /** Rows that one page looks at if there is a filter: a few milliseconds. */
    private static final int LOOKED_AT = 500;

    /** A page of the sessions that a filter lets through, in the order of their names. */
    public Page<SessionEntry> page(SessionFilter filter, @Nullable String after, int most) {
        int looked = filter.isAll() ? most : Math.max(most, LOOKED_AT);
        String prefix = filter.prefix();
        boolean first = after == null && !prefix.isEmpty();
        List<SessionRow> rows = store.sessions(after == null ? prefix : after, first ? prefix : null, looked);
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
        ActiveTurn active = row.active();
        if (active == null) {
            return new SessionEntry(head, head.profile().closedAt() == null ? State.IDLE : State.CLOSED,
                    null);
        }
        return switch (active.status()) {
            case READY -> new SessionEntry(head, State.READY, ready(active));
            case RUNNING -> active.left()
                    ? new SessionEntry(head, State.READY, ready(active))
                    : new SessionEntry(head, State.RUNNING, new Waits(For.WORK, active.since(), null, ""));
            case PARKED -> new SessionEntry(head, State.WAITING, parked(active));
            case STUCK ->
                new SessionEntry(head, State.STUCK, new Waits(For.OPERATOR, active.since(), null, ""));
            case ENDED -> new SessionEntry(head, State.IDLE, null);
        };
    }

    private Waits ready(ActiveTurn active) {
        String agent = TurnScope.agent(active.kind()).orElse(null);
        if (agent == null) {
            return new Waits(For.PROGRAM, active.since(), null, "");
        }
        return new Waits(agents.isEmpty() || agents.contains(agent) ? For.PROCESS : For.AGENT, active.since(),
                null, agent);
    }

    private static Waits parked(ActiveTurn active) {
        Instant until = Stream.concat(active.waits().stream().map(WaitState::deadline),
                Stream.ofNullable(active.wakeAt()))
                .filter(Objects::nonNull)
                .min(Instant::compareTo)
                .orElse(null);
        boolean calls = active.waits().stream().anyMatch(wait -> wait.kind() == OpenWait.Kind.COMPLETION);
        For what = calls
                ? For.COMPLETION
                : !active.waits().isEmpty()
                        ? For.EVENT
                        : active.wakeAt() != null ? For.TIME : For.PROGRAM;
        return new Waits(what, active.since(), until,
                active.waits().stream().map(wait -> wait.name().value()).collect(Collectors.joining(", ")));
    }
}
