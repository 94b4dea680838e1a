/** A process under load that is killed at random moments, again and again, and a ledger that it cannot reach. */
@NullMarked
package dev.belay.tests.kill;

import org.jspecify.annotations.NullMarked;
