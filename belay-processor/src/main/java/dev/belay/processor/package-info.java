/**
 * The annotation processor. {@link dev.belay.processor.BelayProcessor} finds the owners of tools, the readers turn each into an
 * {@link dev.belay.processor.OwnerModel} and report mistakes, {@link dev.belay.processor.CompanionSource} writes the companion. The
 * shapes of types and the reading of tools by reflection are not here but in {@code dev.belay.core}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.processor;
