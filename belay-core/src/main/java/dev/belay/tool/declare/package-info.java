/**
 * Reading declarations: records, methods and raw schemas become definitions.
 */
@NullMarked
package dev.belay.tool.declare;

import org.jspecify.annotations.NullMarked;
