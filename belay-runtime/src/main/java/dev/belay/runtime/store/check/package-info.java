/**
 * Checks what a store holds. The checks say again, in their own words, what rows of a consistent store have in common; they do not use the
 * rules of {@code dev.belay.runtime.store.law}, which wrote the rows.
 */
@NullMarked
package dev.belay.runtime.store.check;

import org.jspecify.annotations.NullMarked;
