/** The code that documents show, and tests that what they claim about it is true. */
@NullMarked
package dev.belay.tests.snippets;

import org.jspecify.annotations.NullMarked;
