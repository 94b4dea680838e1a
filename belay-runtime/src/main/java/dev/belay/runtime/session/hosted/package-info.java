/**
 * Turns whose loop a program owns.
 */
@NullMarked
package dev.belay.runtime.session.hosted;

import org.jspecify.annotations.NullMarked;

