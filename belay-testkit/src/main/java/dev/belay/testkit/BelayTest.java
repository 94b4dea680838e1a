package dev.belay.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test a runtime in memory, which is closed after it. A test method has parameters of these types:
 *
 * <ul>
 * <li>{@link dev.belay.runtime.Belay}: the runtime, whose agent {@code default} asks the model below;
 * <li>{@link ToolHarness}: calls tools and runs turns in it;
 * <li>{@link FakeTime}: its time;
 * <li>{@link dev.belay.model.script.ScriptedModel}: its model, to be scripted by the test;
 * <li>{@link ScriptedPerson}: answers what the harness waits for, and must be asked for all that the test scripts.
 * </ul>
 *
 * <p>A {@code @BeforeEach} method changes the runtime before it is opened, by a parameter of type
 * {@link dev.belay.runtime.BelayBuilder}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(BelayExtension.class)
public @interface BelayTest {}
