/** Tools that a model finds by searching. */
@NullMarked
package dev.belay.tests.search;

import org.jspecify.annotations.NullMarked;
