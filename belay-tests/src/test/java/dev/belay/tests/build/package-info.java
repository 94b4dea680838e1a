/** What every module and every test must have. */
@NullMarked
package dev.belay.tests.build;

import org.jspecify.annotations.NullMarked;
