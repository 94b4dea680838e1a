/** A plugin of your own: keeps an account of what was paid in a session, lowers and refuses payments, and shows the rest to the model. */
@NullMarked
package dev.belay.examples.plugin;

import org.jspecify.annotations.NullMarked;
