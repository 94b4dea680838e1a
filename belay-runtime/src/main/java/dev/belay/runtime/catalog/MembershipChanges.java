package dev.belay.runtime.catalog;

import java.util.List;

/**
 * The tools that a registry found for names whose membership shall change.
 *
 * @param changes one for each tool that was found
 * @param notFound names that no tool has; the caller decides whether that is a mistake
 * @param internal names of internal tools, which never become members
 */
public record MembershipChanges(List<MembershipChange> changes, List<String> notFound,
        List<String> internal) {

    /** Copies the lists. */
    public MembershipChanges {
        changes = List.copyOf(changes);
        notFound = List.copyOf(notFound);
        internal = List.copyOf(internal);
    }
}
