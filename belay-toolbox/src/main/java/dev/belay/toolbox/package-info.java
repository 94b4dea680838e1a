/**
 * Local tools, ready to offer. {@link dev.belay.toolbox.Toolbox} gathers the groups that a host chooses; each group is also a
 * provider of its own. Here are the smallest ones; files, commands and pages have rooms below.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.toolbox;
