/** The code of the pages that name the counterparts of lash. */
@NullMarked
package dev.belay.tests.snippets.lash;

import org.jspecify.annotations.NullMarked;
