/**
 * The options of a definition beside its schemas: schedule, retries, deadlines, approval, visibility, output budget. They are data;
 * the runtime acts on them. The defaults stand in {@code docs/tools.md}.
 */
@NullMarked
package dev.belay.tool.option;

import org.jspecify.annotations.NullMarked;
