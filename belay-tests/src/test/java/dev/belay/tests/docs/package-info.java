/** Documents show compiled code and lead somewhere. */
@NullMarked
package dev.belay.tests.docs;

import org.jspecify.annotations.NullMarked;
