@org.jspecify.annotations.NullMarked
package dev.belay.model.anthropic;
