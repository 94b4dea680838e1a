package dev.belay.runtime.catalog;

import java.util.List;

/**
 * What names mean to a registry when their membership shall change.
 *
 * @param changes one for each tool that was found
 * @param notFound names that no tool has; what that means is for the caller to say
 * @param internal names of tools that never become members
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
