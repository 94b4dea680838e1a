/**
 * What Java types look like in JSON. {@link dev.belay.schema.shape.ShapeMapper} maps a type to a
 * {@link dev.belay.schema.shape.Shape}, for reflection and for the annotation processor alike;
 * {@link dev.belay.schema.shape.SchemaWriter} writes the schema of a shape. Decoders that follow a shape are in
 * {@code dev.belay.generated}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.schema.shape;
