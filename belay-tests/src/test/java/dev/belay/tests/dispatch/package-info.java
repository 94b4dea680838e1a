/** Calls that are dispatched through a host: one class for each part of the contract. */
@NullMarked
package dev.belay.tests.dispatch;

import org.jspecify.annotations.NullMarked;
