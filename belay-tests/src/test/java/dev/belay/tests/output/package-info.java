/** Outputs of tools in sessions: what the model, the history and programs are shown of them, and how the rest is read. */
@NullMarked
package dev.belay.tests.output;

import org.jspecify.annotations.NullMarked;
