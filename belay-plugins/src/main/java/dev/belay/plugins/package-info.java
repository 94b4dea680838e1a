/**
 * Plugins that a program adds to its stack: a plan, project instructions in the prompt, an event after each turn, and a tool that asks
 * other agents. Each is one file and can be read as an example of how a plugin is written.
 */
@NullMarked
package dev.belay.plugins;

import org.jspecify.annotations.NullMarked;
