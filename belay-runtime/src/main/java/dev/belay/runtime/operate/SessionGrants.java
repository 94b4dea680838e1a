package dev.belay.runtime.operate;

import dev.belay.runtime.policy.Grant;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.runtime.store.law.SessionRules;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * Approvals that hold for further calls of one session.
 *
 * @param store where they are kept
 * @param session whose
 * @param now the time
 * @param by who revokes
 */
public record SessionGrants(Store store, SessionId session, Supplier<Instant> now, Actor by) {

    /** Those that were given and not revoked, in their order; those of turns that have ended go with the next one. */
    public List<Grant> list() {
        return store.read(SessionReads.head(session)).map(head -> head.profile().grants()).orElse(List.of());
    }

    /** Takes one back: further calls ask again. Calls that it has let run are not stopped. */
    public VerbResult revoke(String id) {
        if (list().stream().noneMatch(grant -> grant.id().equals(id))) {
            return store.read(SessionReads.head(session)).isPresent()
                    ? VerbResult.ALREADY
                    : new VerbResult.NotPossible("there is no session " + session);
        }
        store.noting(AuditEntry.Note.of(by, "revoke", session + "/grant/" + id, null), now.get())
                .apply(SessionRules.profile(session, before -> before.revoked(id)));
        return VerbResult.DONE;
    }
}
