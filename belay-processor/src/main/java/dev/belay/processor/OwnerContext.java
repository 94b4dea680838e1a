package dev.belay.processor;

import javax.lang.model.element.TypeElement;

/**
 * The state that the readers of one owner share. Confined to one owner.
 *
 * @param owner the owner
 * @param types its types
 * @param descriptions its Javadoc
 * @param reporter takes its mistakes
 */
record OwnerContext(TypeElement owner, SourceTypes types, Descriptions descriptions, Reporter reporter) {}
