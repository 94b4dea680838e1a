package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.dispatch.record.RecordedDoubts;
import dev.belay.runtime.dispatch.record.RecordedScope;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.store.ProcessEnding;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.law.ProcessReads;
import dev.belay.runtime.store.law.ProcessRules;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends processes: settles the waits of bodies that watch a process, then writes its end together with the notices to sessions.
 * Thread-safe.
 *
 * <p><b>Recovery.</b> The end of a process is a function of its records. So an end that watchers were told and that was not
 * written comes out the same when the process is entered again.
 */
public record ProcessEnds(KeptProcesses kept) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.process");

    /** Ends a process that runs here; false if the claim is fenced. */
    boolean end(Claim claim, Beginning beginning, ProcessEnd end, Instant at) {
        return end(beginning.id(), beginning.work(), end, List.of(),
                ending -> kept.store().apply(kept.store().processes().end(claim, ending, at)));
    }

    /**
     * Ends a stuck process as abandoned; false if it is not stuck, or there is none.
     *
     * @param by the store, perhaps one that leaves a note
     */
    public boolean abandon(ProcessId id, String reason, Store by) {
        ScopeId scope = ProcessScope.id(id);
        if (kept.host()
                .state(scope)
                .filter(state -> state.status() == ScopeState.Status.STUCK)
                .isEmpty()) {
            return false;
        }
        List<OpenDoubt.Of> doubts = doubts(scope, reason);
        boolean done = end(id, kept.info(id).work(), new ProcessEnd.Abandoned(reason), doubts,
                ending -> by.apply(by.processes().abandon(ending, kept.time().now())));
        if (done) {
            kept.host().ended(scope);
            RecordedDoubts.tell(scope, doubts, event -> {});
        }
        return done;
    }

    /** Work of the process that may have happened; none if its records cannot be read. */
    private List<OpenDoubt.Of> doubts(ScopeId scope, String reason) {
        try {
            CallOwner.Lineage lineage = lineage(ProcessScope.process(scope));
            return RecordedDoubts.of(RecordedScope.of(kept.host(), scope), lineage.session(),
                    lineage.family(), reason);
        } catch (JournalException e) {
            if (!e.isDamage()) {
                throw e;
            }
            LOG.warn("{} is abandoned without its records, which cannot be read", scope, e);
            return List.of();
        }
    }

    private CallOwner.Lineage lineage(ProcessId id) {
        try {
            return StartedBy.lineage(Beginning.of(kept.row(id).scope().input()).by());
        } catch (JournalException e) {
            if (!e.isDamage()) {
                throw e;
            }
            return CallOwner.Lineage.NONE; // its records may still be read
        }
    }

    /** Tells watchers until the write finds no further one. */
    private boolean end(ProcessId id, ProcessWork work, ProcessEnd end, List<OpenDoubt.Of> doubts,
            Function<ProcessEnding, ProcessRules.Ended> write) {
        Json result = end.toJson();
        Set<String> told = new HashSet<>();
        while (true) {
            List<String> watchers = kept.store().read(ProcessReads.watchers(id));
            watchers.stream().filter(told::add).forEach(token -> settle(token, result));
            var ending = new ProcessEnding(id, result, ProcessNotice.of(id, work, end), watchers.size(),
                    doubts);
            switch (write.apply(ending)) {
                case DONE -> {
                    return true;
                }
                case FENCED -> {
                    return false;
                }
                case WATCHED -> {
                    // another watcher came between reading and writing
                }
            }
        }
    }

    /** Lets a wait be settled with the end of a process, at once if it has ended. */
    void watch(ProcessId id, String token) {
        if (!kept.store().apply(kept.store().processes().watch(id, token))) {
            Json result = kept.row(id).scope().result();
            if (result != null) {
                settle(token, result);
            }
        }
    }

    private void settle(String token, Json result) {
        kept.host().settle(token, Resolution.ok(result));
    }
}
