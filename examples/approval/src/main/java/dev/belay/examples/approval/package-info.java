/** A refund over a limit: a person in another process changes the amount, and it is paid once although two workers are killed. */
@NullMarked
package dev.belay.examples.approval;

import org.jspecify.annotations.NullMarked;
