/**
 * Local tools, ready to offer. {@link dev.belay.toolbox.Toolbox} collects the groups that a host chooses; each group is also a
 * provider of its own. Basic tools and notes are here; {@code file}, {@code command} and {@code http} hold the others.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.toolbox;
