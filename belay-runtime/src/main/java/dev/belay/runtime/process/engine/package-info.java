/**
 * Runs processes as scopes of the host.
 */
@NullMarked
package dev.belay.runtime.process.engine;

import org.jspecify.annotations.NullMarked;
