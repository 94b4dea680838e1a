package dev.belay.tool;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a sealed interface as a set of tools: each record in it that is a {@link ToolInput} is a tool, sealed interfaces in it
 * only group, records marked {@link Nested} put another set in their place.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Tools {}
