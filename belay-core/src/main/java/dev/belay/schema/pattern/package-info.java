/**
 * Regular expressions of ECMA-262 in linear time. {@link dev.belay.schema.pattern.PatternParser} reads an expression,
 * {@link dev.belay.schema.pattern.CompiledPattern} expands it into at most 10,000 instructions, and a
 * {@link dev.belay.schema.pattern.Search} runs these over a text, character by character, counting its steps.
 *
 * <p>A search keeps the set of instructions that can be reached and never goes back in the text, so that it takes at most one
 * visit of each instruction per character. The schema rules reach this room through {@code dev.belay.schema.BoundedPattern}.
 */
@NullMarked
package dev.belay.schema.pattern;

import org.jspecify.annotations.NullMarked;
