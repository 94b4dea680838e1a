/**
 * One call in core: admit the name, decode and validate the arguments, run the body.
 */
@NullMarked
package dev.belay.tool.call;

import org.jspecify.annotations.NullMarked;
