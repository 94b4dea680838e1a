/** Tests of the kit's own parts. */
@NullMarked
package dev.belay.testkit;

import org.jspecify.annotations.NullMarked;
