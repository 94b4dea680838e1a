/**
 * What a body may do with the session around its call: ask models, read the session, change its tools, start child sessions and
 * processes.
 *
 * <p>{@code SessionBodies} makes the context of a call, {@code CallCapabilities}; each turn hands it down with its calls. {@code ProcessSessions}
 * is what sessions do for processes.
 *
 * <p>How a body is run is in {@code dispatch.body}. The interfaces that bodies see are in {@code session} and {@code process}.
 */
@NullMarked
package dev.belay.runtime.session.body;

import org.jspecify.annotations.NullMarked;
