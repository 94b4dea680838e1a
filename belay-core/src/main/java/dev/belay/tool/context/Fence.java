package dev.belay.tool.context;

/**
 * A number that grows with each take-over of a scope or resource. A service that remembers the largest one it has seen can
 * refuse a writer that was overtaken.
 *
 * @param value the number
 */
public record Fence(long value) {}
