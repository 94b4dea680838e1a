/** What settings say, and what is found by them. */
@NullMarked
package dev.belay.cli.settings;

import org.jspecify.annotations.NullMarked;
