/** The launcher script, run in made-up homes. */
@NullMarked
package dev.belay.tests.launcher;

import org.jspecify.annotations.NullMarked;
