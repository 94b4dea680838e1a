/** Commands about a workspace that run no turn: its tools, its settings, and whether a run would work. */
@NullMarked
package dev.belay.cli.local;

import org.jspecify.annotations.NullMarked;
