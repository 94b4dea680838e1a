/** Commands about a workspace that run no turn. */
@NullMarked
package dev.belay.cli.local;

import org.jspecify.annotations.NullMarked;
