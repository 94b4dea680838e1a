/** The rules of the house, each with a fixture that breaks it. */
@NullMarked
package dev.belay.tests.architecture;

import org.jspecify.annotations.NullMarked;
