/** What every module and every test must have. */
@NullMarked
package dev.belay.tests.effect;

import org.jspecify.annotations.NullMarked;
