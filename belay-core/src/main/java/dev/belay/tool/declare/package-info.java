/**
 * Reads declarations: records, enums, sealed interfaces, methods and raw schemas become definitions. Not exported; programs use
 * {@code dev.belay.tool.ToolDefinition} and {@code dev.belay.tool.ToolMethods}. Reaching classes by reflection or through generated
 * code stands in {@code dev.belay.generated}.
 */
@NullMarked
package dev.belay.tool.declare;

import org.jspecify.annotations.NullMarked;
