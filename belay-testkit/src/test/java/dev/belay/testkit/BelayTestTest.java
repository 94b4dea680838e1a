package dev.belay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.belay.json.Json;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.operate.Health;
import dev.belay.runtime.session.TurnResult;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.option.Approval;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** What a test is given by {@code @BelayTest}. */
@BelayTest
final class BelayTestTest {

    private static final List<Belay> OPENED = new ArrayList<>();

    @BeforeEach
    void build(BelayBuilder builder) {
        builder.tools(StaticToolProvider.builder()
                .raw(ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\"}"))
                        .approval(Approval.ALWAYS), (in, context) -> "paid")
                .build());
    }

    @Test
    void partsOfOneRuntimeAreGiven(Belay belay, ToolHarness harness, FakeTime time, ScriptedModel model,
            ScriptedPerson person,
            @TempDir Path folder) throws Exception {
        person.approve("pay").after(Duration.ofDays(1));
        model.call("pay", "{}").reply("Done.");
        assertThat(harness.say("s", "Pay.").answer()).isEqualTo("Done.");
        assertThat(time.now()).isEqualTo(FakeTime.START.plus(Duration.ofDays(1)));
        assertThat(belay.session("s").turns(1, 9)).hasSize(1);
        assertThat(harness.call("pay", "{}").text()).isEqualTo("paid");
        assertThat(folder).exists();
    }

    @Test
    void aTestWithoutAPersonSeesTheTurnRest(Belay belay, ScriptedModel model) throws Exception {
        model.call("pay", "{}");
        assertThat(belay.session("s").turn("Pay.").run()).isInstanceOf(TurnResult.Resting.class);
    }

    @ParameterizedTest
    @MethodSource("durations")
    void argumentsOfAParameterizedTestStandBesideThem(Duration argument, FakeTime time) {
        assertThat(time.now().plus(argument)).isAfter(FakeTime.START);
    }

    static List<Duration> durations() {
        return List.of(Duration.ofDays(1));
    }

    @Test
    void theRuntimeIsClosedAfterEachTest() {
        assertThat(run(Twice.class).getTestsSucceededCount()).isEqualTo(2);
        assertThat(OPENED).hasSize(2).doesNotHaveDuplicates();
        assertThat(OPENED)
                .allSatisfy(belay -> assertThat(belay.health().life()).isEqualTo(Health.Life.CLOSED));
    }

    @Test
    void anotherTypeIsToldWithTheListOfWhatThereIs() {
        fails(Wrong.class,
                "@BelayTest has no ToolProvider to give, but Belay, ToolHarness, FakeTime, ScriptedModel,"
                        + " ScriptedPerson, BelayBuilder");
    }

    @Test
    void aBuilderIsForBeforeEachAndNothingIsForAllTests() {
        fails(LateBuilder.class, "take BelayBuilder in a @BeforeEach method");
        fails(ForAll.class, "makes a runtime for each test");
    }

    @Test
    void aPersonWhoIsNeverAskedFailsTheTest() {
        fails(NeverAsked.class, "never asked for [approve(\"pay\")]");
    }

    private static TestExecutionSummary run(Class<?> tests) {
        var summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build(),
                        summary);
        return summary.getSummary();
    }

    private static void fails(Class<?> tests, String words) {
        assertThat(run(tests).getFailures()).singleElement()
                .extracting(failure -> String.valueOf(failure.getException()))
                .asString()
                .contains(words);
    }

    @BelayTest
    static class Twice {

        @Test
        void once(Belay belay) {
            OPENED.add(belay);
        }

        @Test
        void again(Belay belay) {
            OPENED.add(belay);
        }
    }

    @BelayTest
    static class Wrong {

        @Test
        void provider(ToolProvider tools) {}
    }

    @BelayTest
    static class LateBuilder {

        @Test
        void late(BelayBuilder builder) {}
    }

    @BelayTest
    static class ForAll {

        @BeforeAll
        static void all(Belay belay) {}

        @Test
        void test() {}
    }

    @BelayTest
    static class NeverAsked {

        @Test
        void test(ScriptedPerson person) {
            person.approve("pay");
        }
    }
}
