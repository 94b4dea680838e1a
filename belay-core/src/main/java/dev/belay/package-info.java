/** The root of Belay's exceptions, and nothing else; start reading at {@code dev.belay.tool}. */
@org.jspecify.annotations.NullMarked
package dev.belay;
