/** Tests of the command as a whole. */
@NullMarked
package dev.belay.cli;

import org.jspecify.annotations.NullMarked;
