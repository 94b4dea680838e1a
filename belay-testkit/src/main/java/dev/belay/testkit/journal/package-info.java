/**
 * What every journal must do, as tests.
 */
@NullMarked
package dev.belay.testkit.journal;

import org.jspecify.annotations.NullMarked;

