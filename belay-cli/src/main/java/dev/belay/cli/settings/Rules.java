package dev.belay.cli.settings;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What settings say about an agent, or about a whole workspace, in words for a person.
 *
 * @param grants what they allow beyond the usual; a person must agree
 * @param limits what they deny or ask about
 */
record Rules(Set<String> grants, Set<String> limits) {

    private static final String DENY = "deny ";
    private static final String ASK = "ask about ";

    /** Copies the sets, in their order. */
    Rules {
        grants = Collections.unmodifiableSet(new LinkedHashSet<>(grants));
        limits = Collections.unmodifiableSet(new LinkedHashSet<>(limits));
    }

    static String deny(String calls) {
        return DENY + calls;
    }

    static String ask(String calls) {
        return ASK + calls;
    }

    /** What is granted here and was not before. */
    List<String> addedTo(Rules before) {
        return grants.stream().filter(grant -> !before.grants.contains(grant)).toList();
    }

    /** The limits of before that are gone: about what was asked before, and is denied now, is none. */
    List<String> goneFrom(Rules before) {
        return before.limits.stream()
                .filter(limit -> !limits.contains(limit))
                .filter(limit -> !limit.startsWith(ASK)
                        || !limits.contains(deny(limit.substring(ASK.length()))))
                .toList();
    }
}
