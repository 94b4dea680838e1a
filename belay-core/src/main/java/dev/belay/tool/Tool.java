package dev.belay.tool;

import dev.belay.tool.option.Approval;
import dev.belay.tool.option.DefinitionChange;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.Scheduling;
import dev.belay.tool.option.Visibility;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a tool: a record, enum or sealed interface that is a {@link ToolInput}, or a method. Everything has a default; the
 * description is the Javadoc or {@code @Description}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Tool {

    /** What the model says; snake_case of the Java name if empty. */
    String name() default "";

    /** A name for people, or empty. */
    String title() default "";

    /** What a call does to the world. */
    ToolEffect effect() default ToolEffect.ONCE;

    /** Whether the body may be entered again from its first line, with only its steps as effects. */
    boolean resumable() default false;

    /** When it runs within a batch. */
    Scheduling scheduling() default Scheduling.PARALLEL;

    /** Resource key taken from required arguments, for example <code>account:{accountId}</code>, or empty. */
    String exclusive() default "";

    /** Total time of one call as an ISO-8601 duration ({@code PT30S}); the runtime's default if empty. */
    String timeout() default "";

    /** Time without progress as an ISO-8601 duration; none if empty. */
    String idleTimeout() default "";

    /** Attempts at most, the first included; more than one needs an effect that allows repeats. */
    int attempts() default 1;

    /** Whether a body may park its call. */
    boolean mayDefer() default true;

    /** Whether it asks a person first. */
    Approval approval() default Approval.INHERIT;

    /** Example arguments as JSON text. */
    String[] examples() default {};

    /** Words that rules and searches use. */
    String[] tags() default {};

    /** Whether it is in the catalog from the start; otherwise it must be granted. */
    boolean resident() default true;

    /** Who may see it. */
    Visibility visibility() default Visibility.MODEL;

    /** The author's version; part of the fingerprint. */
    int version() default 1;

    /** What happens to a waiting call when the definition has changed. */
    DefinitionChange onDefinitionChanged() default DefinitionChange.FAIL;

    /** What happens to a call that may have happened, if its reconciler cannot tell. */
    OnDoubt onDoubt() default OnDoubt.TELL;

    /** Whether a toolset offers it by default. */
    boolean defaultOn() default true;

    /** Allows a tool without description. */
    boolean undescribed() default false;
}
