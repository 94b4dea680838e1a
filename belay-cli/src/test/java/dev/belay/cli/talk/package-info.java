/** Tests of commands that run turns. */
@NullMarked
package dev.belay.cli.talk;

import org.jspecify.annotations.NullMarked;
