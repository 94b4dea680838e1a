package dev.belay.runtime.effect;

/**
 * A scope to run below another one, described by data alone.
 *
 * @param name its name within the parent; unique there
 * @param input of the child
 */
public record ChildCommand(EffectKey name, ScopeInput input) {}
