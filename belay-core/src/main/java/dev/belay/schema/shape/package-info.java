/**
 * What Java types look like in JSON. {@link dev.belay.schema.shape.ShapeMapper} maps a type to a
 * {@link dev.belay.schema.shape.Shape}, for reflection and for the annotation processor alike;
 * {@link dev.belay.schema.shape.SchemaWriter} writes the schema of a shape. Decoders that follow a shape are in
 * {@code dev.belay.generated}.
 *
 * <p>Exported for the annotation processor, which is another module. Programs that use Belay need nothing of it.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.schema.shape;
