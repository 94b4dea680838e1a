/**
 * The compiled rules of a schema and the walk that applies them.
 */
@NullMarked
package dev.belay.schema.rules;

import org.jspecify.annotations.NullMarked;
