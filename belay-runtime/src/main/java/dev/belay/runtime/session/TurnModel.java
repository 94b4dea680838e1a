package dev.belay.runtime.session;

import java.util.OptionalLong;

/**
 * The model that answers a turn, as its bodies see it.
 *
 * @param id the model's own name, such as its provider knows it
 * @param name the name under which the runtime knows it
 * @param variant the name of the way in which it is asked; {@code default} unless a level names another
 * @param maxContextTokens the size of its context, if it was set
 */
public record TurnModel(String id, String name, String variant, OptionalLong maxContextTokens) {}
