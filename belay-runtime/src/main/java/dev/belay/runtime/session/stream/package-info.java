/**
 * Events of sessions by cursor.
 */
@NullMarked
package dev.belay.runtime.session.stream;

import org.jspecify.annotations.NullMarked;

