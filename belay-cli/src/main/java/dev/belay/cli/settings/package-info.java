/**
 * What a workspace says: {@link dev.belay.cli.settings.Settings} of its {@code belay.toml}, whether a person trusts it, the model and
 * the tools that follow from it. No command is here.
 */
@NullMarked
package dev.belay.cli.settings;

import org.jspecify.annotations.NullMarked;
