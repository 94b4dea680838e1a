package dev.belay.runtime.store.rows;

import dev.belay.runtime.store.ProcessEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The rows of processes: a head for each, the sessions that may handle it, its events and watchers. */
public final class ProcessRows {

    /** Heads of processes. */
    public static final Table<ProcessHead> PROCESSES = Table.single("process",
            "id text, place number, hash text, started_at moment, ended_at moment, output text,"
                    + " events number, watchers number",
            ProcessHead::id,
            p -> new Object[]{p.id, p.place, p.hash, p.startedAt, p.endedAt, p.output, p.events,
                p.watchers},
            v -> new ProcessHead(v.text(), v.number(), v.text(), v.moment(), v.momentOrNull(),
                    v.textOrNull(), v.number(), v.count()));

    /** Sessions that may handle a process. */
    public static final Table<Grant> GRANTS = Table.of("process_grant",
            "process text, session text, place number",
            Grant::process, Grant::session, g -> new Object[]{g.process, g.session, g.place},
            v -> new Grant(v.text(), v.text(), v.number()));

    /** Events, by their keys. */
    public static final Table<Event> EVENTS = Table.of("process_event",
            "process text, key text, place number, type text, payload json, at moment",
            Event::process, e -> e.event.key(),
            e -> new Object[]{e.process, e.event.key(), e.event.place(), e.event.type(), e.event.payload(),
                e.event.at()},
            Event::read);

    /** Keys of waits that are settled with the result before the process ends. */
    public static final Table<Watcher> WATCHERS = Table.of("process_watcher", "process text, token text",
            Watcher::process, Watcher::token, w -> new Object[]{w.process, w.token},
            v -> new Watcher(v.text(), v.text()));

    private ProcessRows() {}

    /**
     * The head of a process.
     *
     * @param id which
     * @param place in the order of starts, from 1
     * @param hash of what it is to do
     * @param startedAt when
     * @param endedAt when, or null
     * @param output the hash of its result if it is kept by content, or null
     * @param events how many it has
     * @param watchers how many it has
     */
    public record ProcessHead(String id, long place, String hash, Instant startedAt,
            @Nullable Instant endedAt,
            @Nullable String output, long events, int watchers) {

        /** The process with other numbers of events and watchers. */
        public ProcessHead counted(long allEvents, int allWatchers) {
            return new ProcessHead(id, place, hash, startedAt, endedAt, output, allEvents, allWatchers);
        }

        /** The process at its end. */
        public ProcessHead ended(@Nullable String withOutput, Instant at) {
            return new ProcessHead(id, place, hash, startedAt, at, withOutput, events, 0);
        }
    }

    /**
     * A session that may handle a process.
     *
     * @param process which
     * @param session who
     * @param place of the process
     */
    public record Grant(String process, String session, long place) {}

    /**
     * An event.
     *
     * @param process whose
     * @param event what it has told
     */
    public record Event(String process, ProcessEvent event) {

        private static Event read(Values v) {
            String process = v.text();
            String key = v.text();
            return new Event(process,
                    new ProcessEvent(v.number(), key, v.text(), v.json(), v.moment()));
        }
    }

    /**
     * A watcher.
     *
     * @param process whom it watches
     * @param token the key of a wait
     */
    public record Watcher(String process, String token) {}
}
