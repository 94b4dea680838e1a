/**
 * The records of a call: values and their JSON forms, which golden files pin. Nothing here decides or runs anything, apart from
 * {@link dev.belay.runtime.dispatch.record.RecordedOutcome}, which reads how a call stands.
 *
 * <p>Not here: the stages that make these records ({@code dev.belay.runtime.dispatch.call}); when a record is written
 * ({@code dev.belay.runtime.effect}).
 */
@NullMarked
package dev.belay.runtime.dispatch.record;

import org.jspecify.annotations.NullMarked;
