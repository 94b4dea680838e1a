/** The program of the README: a refund waits for a person, the program is killed while the bank pays, and the bank pays once. */
@NullMarked
package dev.belay.examples.desk;

import org.jspecify.annotations.NullMarked;
