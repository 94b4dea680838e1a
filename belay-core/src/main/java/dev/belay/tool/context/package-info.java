/**
 * What a body may ask of the world around its call.
 */
@NullMarked
package dev.belay.tool.context;

import org.jspecify.annotations.NullMarked;
