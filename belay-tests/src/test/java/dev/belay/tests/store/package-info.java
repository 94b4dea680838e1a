/** What every module and every test must have. */
@NullMarked
package dev.belay.tests.store;

import org.jspecify.annotations.NullMarked;
