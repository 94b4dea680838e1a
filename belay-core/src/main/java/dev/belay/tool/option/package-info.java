/**
 * What a tool declares beside its schemas: effect on schedule, retries, deadlines, approval, visibility.
 */
@NullMarked
package dev.belay.tool.option;

import org.jspecify.annotations.NullMarked;
