/** The check that a workspace is a directory, which every group of local tools makes. Not for users of the module. */
@org.jspecify.annotations.NullMarked
package dev.belay.toolbox.workspace;
