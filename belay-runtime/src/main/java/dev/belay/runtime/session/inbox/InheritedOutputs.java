package dev.belay.runtime.session.inbox;

import dev.belay.model.Message;
import dev.belay.runtime.output.engine.KeptOutput;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.law.KeepRules;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.tool.context.Attachments;
import java.util.List;
import java.util.Optional;

/**
 * The outputs of its parent that a child session may read: those whose handles are in its inputs. A session without a parent inherits
 * nothing.
 *
 * @param store of both
 * @param session the child
 */
public record InheritedOutputs(Store store, SessionId session) {

    /** Whether messages name outputs in a session that has a parent. */
    public boolean areNamedIn(List<Message> inputs) {
        return namesAny(inputs) && parent().isPresent();
    }

    private static boolean namesAny(List<Message> inputs) {
        for (Message input : inputs) {
            if (input instanceof Message.UserMessage said && !KeptOutput.namedIn(said.text()).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Keeps what messages name and the parent keeps. To do it again writes nothing. */
    public void keep(List<Message> inputs, Attachments own) {
        if (!namesAny(inputs)) {
            return;
        }
        parent().flatMap(one -> store.read(SessionReads.head(one)))
                .map(head -> TurnScope.prefix(head.incarnation()))
                .ifPresent(keeper -> {
                    for (Message input : inputs) {
                        if (input instanceof Message.UserMessage said) {
                            KeptOutput.namedIn(said.text())
                                    .forEach(reference -> store.read(KeepRules.kept(keeper, reference))
                                            .ifPresent(bytes -> own.put(bytes, reference.mediaType())));
                        }
                    }
                });
    }

    private Optional<SessionId> parent() {
        return store.read(SessionReads.head(session)).flatMap(SessionHead::parent);
    }
}
