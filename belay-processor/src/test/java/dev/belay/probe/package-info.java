/** Looks at compiled tools from outside, by reflection and companions; also compiled as a module of its own. */
@org.jspecify.annotations.NullMarked
package dev.belay.probe;
