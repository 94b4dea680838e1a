/** Tests of the checks of models. */
@NullMarked
package dev.belay.testkit.model;

import org.jspecify.annotations.NullMarked;
