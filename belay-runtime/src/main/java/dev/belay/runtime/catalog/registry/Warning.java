package dev.belay.runtime.catalog.registry;

import org.jspecify.annotations.Nullable;

/**
 * A warning for the operator. The thread that publishes a state logs its warnings, so that each is logged once.
 *
 * @param text of the log line
 * @param cause the exception, or null
 */
public record Warning(String text, @Nullable Throwable cause) {}
