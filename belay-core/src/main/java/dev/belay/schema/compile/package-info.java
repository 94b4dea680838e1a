/**
 * Turns a schema into nodes.
 */
@NullMarked
package dev.belay.schema.compile;

import org.jspecify.annotations.NullMarked;
