/** Text that the tools of every room show to people and models. Not for users of the module. */
@org.jspecify.annotations.NullMarked
package dev.belay.toolbox.words;
