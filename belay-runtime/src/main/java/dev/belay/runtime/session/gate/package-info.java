/**
 * What a policy may know of the turn of a call: earlier calls, sessions above, grants.
 *
 * <p>Not here: what is decided ({@code dev.belay.runtime.dispatch.gate}).
 */
@NullMarked
package dev.belay.runtime.session.gate;

import org.jspecify.annotations.NullMarked;
