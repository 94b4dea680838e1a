/**
 * JSON Schema, drafts 4 to 2020-12: {@link dev.belay.schema.JsonSchema} checks a value and answers with
 * {@link dev.belay.schema.Violations} a model can act on.
 *
 * <p>Neither a hostile schema nor a hostile value can hang a check, which runs under a budget of steps. {@code SchemaCompiler}
 * in {@code dev.belay.schema.compile} turns a schema into {@code SchemaNode}s once, by the rules of its
 * {@link dev.belay.schema.Draft}; {@code SchemaNode.check} and the {@code …Rules} classes in {@code dev.belay.schema.rules},
 * one per kind of value, check one value; {@code dev.belay.schema.pattern} matches regular expressions.
 *
 * <p>The annotations that constrain and describe Java types are here too; how a type becomes a schema is in
 * {@code dev.belay.schema.shape}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.schema;
