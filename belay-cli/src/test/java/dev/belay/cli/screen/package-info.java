/** Tests of what a terminal is shown. */
@NullMarked
package dev.belay.cli.screen;

import org.jspecify.annotations.NullMarked;
