/**
 * What arrives at a session and what it looks like between turns.
 */
@NullMarked
package dev.belay.runtime.session.inbox;

import org.jspecify.annotations.NullMarked;

