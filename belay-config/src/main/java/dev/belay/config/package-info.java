/**
 * Configuration files in TOML. {@link dev.belay.config.ConfigFile} reads a file into tables that know the line and column of each key;
 * {@link dev.belay.config.PolicyFile} reads {@code [[policy.rule]]} from one.
 *
 * <p>Not here: what a policy decides ({@code dev.belay.runtime.policy}); what the keys of {@code belay.toml} mean, which is said by
 * the program that reads them.
 */
@NullMarked
package dev.belay.config;

import org.jspecify.annotations.NullMarked;
