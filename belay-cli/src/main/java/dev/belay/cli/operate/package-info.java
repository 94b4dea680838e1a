/**
 * Commands of operators: what runs, what waits, what is in doubt, and the verbs that change it. They go through a client and run
 * no turn. The commands that run turns are in {@code dev.belay.cli.talk}.
 */
@NullMarked
package dev.belay.cli.operate;

import org.jspecify.annotations.NullMarked;
