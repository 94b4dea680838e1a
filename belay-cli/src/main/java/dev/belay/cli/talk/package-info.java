/**
 * Commands that run turns: {@code run} and {@code resume}, the questions that they ask, what they show while a turn runs, and the log
 * of a session.
 */
@NullMarked
package dev.belay.cli.talk;

import org.jspecify.annotations.NullMarked;
