/** What a program asks of the plugins of a session, beside its conversation. */
@NullMarked
package dev.belay.runtime.session.action;

import org.jspecify.annotations.NullMarked;
