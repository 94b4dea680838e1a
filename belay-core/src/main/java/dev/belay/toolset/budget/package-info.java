/**
 * What requests may spend.
 */
@NullMarked
package dev.belay.toolset.budget;

import org.jspecify.annotations.NullMarked;
