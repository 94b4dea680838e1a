/**
 * The journal as a store keeps it: claims, records, waits, resources, secrets. For those who write a store.
 */
@NullMarked
package dev.belay.runtime.store.journal;

import org.jspecify.annotations.NullMarked;
