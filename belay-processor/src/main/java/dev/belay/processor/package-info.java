/**
 * The annotation processor. {@link dev.belay.processor.BelayProcessor} finds the owners of tools, the readers turn each into an
 * {@link dev.belay.processor.OwnerModel} and report what is wrong with it, {@link dev.belay.processor.CompanionSource} writes
 * the companion.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.processor;
