/**
 * What suites and tests of stores share.
 */
@NullMarked
package dev.belay.laws;

import org.jspecify.annotations.NullMarked;
