/** Tests of the demo. */
@NullMarked
package dev.belay.cli.demo;

import org.jspecify.annotations.NullMarked;
