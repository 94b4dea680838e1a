package dev.belay.laws.effect;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every {@link dev.belay.runtime.effect.EffectHost} must do. Extend it and supply the records; every scenario runs four times:
 * with scopes that give up their thread whenever they wait, or hold it for a while; each with children that are run as objects, or
 * from their encoded inputs.
 *
 * <p>Keeps the contract's lines E.2, G.1, G.2, J.2, J.3, J.5, L.1 to L.4, L.7 to L.9, and M.3.
 */
@ParameterizedClass(name = "parkAfter = {0}, children as {1}")
@MethodSource("variants")
@Timeout(180)
public abstract class EffectHostContract
        implements
            RecordingScenarios,
            ChildScenarios,
            WaitScenarios,
            TimeScenarios,
            CancelScenarios,
            RecoveryScenarios,
            StuckScenarios,
            ResourceScenarios,
            KeyScenarios,
            CollectScenarios {

    /** How long a scope that waits may hold its thread. */
    @Parameter(0)
    Duration parkAfter = Duration.ZERO;

    /** How a host runs children. */
    enum Children {
        OBJECTS, DATA
    }

    @Parameter(1)
    Children children = Children.OBJECTS;

    /**
     * How the scenarios run: how long a scope holds its thread, and how children are run. A subclass whose records are slow may hide
     * this method by one that returns fewer.
     */
    public static Stream<Arguments> variants() {
        return Stream.of(Arguments.of("PT0S", "OBJECTS"), Arguments.of("PT1S", "OBJECTS"),
                Arguments.of("PT0S", "DATA"), Arguments.of("PT1S", "DATA"));
    }

    private @org.jspecify.annotations.Nullable Stage stage;

    /** For subclasses. */
    protected EffectHostContract() {}

    /** Fresh records for one test. */
    protected abstract HostRecords records() throws Exception;

    @BeforeEach
    final void openStage() throws Exception {
        stage = new Stage(records(), parkAfter, children == Children.DATA);
    }

    @AfterEach
    final void closeStage() throws Exception {
        stage().close();
    }

    @Override
    public final Stage stage() {
        Stage open = stage;
        if (open == null) {
            throw new IllegalStateException("the test has not begun");
        }
        return open;
    }
}
