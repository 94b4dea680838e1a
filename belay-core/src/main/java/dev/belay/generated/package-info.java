/**
 * Where generated code and reflection meet. A companion, written by the annotation processor, registers itself here with
 * descriptions, constructors and invokers; a class without one is reached by reflection. Both serve the same
 * {@link dev.belay.generated.JsonCodec codecs}, which follow a {@link dev.belay.schema.shape.Shape} and check it in the same pass.
 * User code never names anything in this package.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.generated;
