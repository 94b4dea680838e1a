/** What the checks of the whole project share. */
@NullMarked
package dev.belay.tests;

import org.jspecify.annotations.NullMarked;
