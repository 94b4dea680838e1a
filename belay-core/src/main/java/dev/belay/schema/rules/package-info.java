/**
 * The rules of compiled schemas: {@link dev.belay.schema.rules.SchemaNode} holds the rules of one schema, the {@code …Rules}
 * classes read them from {@link dev.belay.schema.rules.Keywords}, and a {@link dev.belay.schema.rules.Walk} applies them to a
 * value.
 *
 * <p>Finding and linking schemas inside a schema stands in {@code dev.belay.schema.compile}; rules reach it through
 * {@link dev.belay.schema.rules.Subschemas}.
 */
@NullMarked
package dev.belay.schema.rules;

import org.jspecify.annotations.NullMarked;
