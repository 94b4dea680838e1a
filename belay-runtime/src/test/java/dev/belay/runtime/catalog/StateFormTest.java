package dev.belay.runtime.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolId;
import dev.belay.tool.option.Fingerprint;
import dev.belay.tool.option.Visibility;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Contract L.5: the form of a stored state. The golden file is what version 1 wrote; it is never changed, and every later version
 * reads it.
 */
class StateFormTest {

    private static final String GOLDEN = "tool-state-1.json";

    private static String golden() throws IOException {
        try (InputStream in = StateFormTest.class.getResourceAsStream(GOLDEN)) {
            assertThat(in).as(GOLDEN).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }

    private static ToolRegistry registry() {
        Json schema = Json.of("{\"type\":\"object\",\"properties\":{\"order\":{\"type\":\"integer\"}}}");
        var registry = new ToolRegistry();
        SourceHandle old = registry.add(Samples.source(ToolDefinition.raw("gone", "Is gone.", schema)));
        registry.add(Samples.source(
                ToolDefinition.raw("find_orders", "Finds \"orders\".\nAll of them.", schema)
                        .effect(ToolEffect.READ),
                ToolDefinition.raw("refund", "Pays back.", schema).id("shop/refund"),
                ToolDefinition.raw("audit", "Für später.", schema).visibility(Visibility.INTERNAL),
                ToolDefinition.raw("rare", "Is rare.", schema)
                        .effect(ToolEffect.IDEMPOTENT)
                        .resident(false)));
        registry.setMembership(List.of("refund", "gone"), false);
        registry.setMembership(List.of("rare"), true);
        registry.apply(List.of(new MembershipChange(new ToolId("never seen"), Membership.PRESENT)));
        old.withdraw();
        return registry;
    }

    @Test
    void statesAreWrittenAsEver() throws Exception {
        assertThat(registry().state().toJson().text()).isEqualTo(golden());
    }

    @Test
    void statesAreReadAsEver() throws Exception {
        ToolState state = ToolState.of(Json.of(golden()));
        assertThat(state).isEqualTo(registry().state());
        assertThat(state.generation()).isEqualTo(4);
        assertThat(state.tools()).hasSize(6);
        assertThat(state.tools().get(0)).isEqualTo(new ToolState.Entry(new ToolId("tool:find_orders"),
                new ToolSummary("find_orders", "Finds \"orders\".\nAll of them.", ToolEffect.READ,
                        Visibility.MODEL, true,
                        new Fingerprint(
                                Json.of(golden()).at("/tools/0/tool/fingerprint").orElseThrow().asString())),
                Membership.DEFAULT, false));
        assertThat(state.tools().get(4)).isEqualTo(
                new ToolState.Entry(new ToolId("never seen"), null, Membership.PRESENT, true));
    }

    @Test
    void aRegistryOfToolsThatShowTheSameKeepsTheGolden() throws Exception {
        ToolRegistry registry = registry();
        registry.restoreState(ToolState.of(Json.of(golden())));
        assertThat(registry.state().toJson().text()).isEqualTo(golden());
    }

    @Test
    void fieldsOfALaterVersionAreIgnored() throws Exception {
        assertThat(ToolState.of(Json.of(golden().replace("\"id\":", "\"mood\":[1],\"id\":")
                .replace("\"v\":1", "\"v\":1,\"mood\":{}")))).isEqualTo(ToolState.of(Json.of(golden())));
    }

    @Test
    void aStateOfALaterVersionIsSaidToBeOne() throws Exception {
        Json newer = Json.of(golden().replace("\"v\":1", "\"v\":2"));
        assertThatThrownBy(() -> ToolState.of(newer)).isInstanceOfSatisfying(BelayException.class, e -> {
            assertThat(e.code()).isEqualTo("tool_state_newer");
            assertThat(e.getMessage()).contains("form 2", "up to 1");
        });
    }

    private static void assertCorrupt(String text, String... words) {
        assertThatThrownBy(() -> ToolState.of(Json.of(text))).isInstanceOfSatisfying(BelayException.class,
                e -> {
                    assertThat(e.code()).isEqualTo("tool_state_corrupt");
                    assertThat(e.getMessage()).contains(words);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "null", "7", "\"state\"", "{\"v\":1}", "{\"v\":0}", "{\"v\":-1}",
        "{\"v\":\"1\"}", "{\"v\":null}", "{\"v\":99999999999999999999}"})
    void whatIsNoStateIsSaidToBeNone(String text) {
        assertCorrupt(text, "this is not a state of tools");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "\"v\":1                     | \"v\":0                          | there is no form 0",
        "\"generation\":4            | \"generation\":-1               | generation must be 0",
        "\"generation\":4            | \"generation\":9007199254740992 | generation must be 0",
        "\"generation\":4            | \"generation\":1.5              | 1.5",
        "\"generation\":4            | \"generation\":true             | true",
        "\"generation\":4,           | ``                              | \"generation\" is missing",
        "\"surface\":\"              | \"surface\":\"A                 | surface must be",
        "\"id\":\"shop/refund\"      | \"id\":\"tool:audit\"           | tool:audit stands twice",
        "\"id\":\"shop/refund\"      | \"id\":\"\"                     | not tool 1",
        "\"id\":\"shop/refund\"      | \"id\":null                     | not tool 1",
        "\"effect\":\"READ\"         | \"effect\":\"FLY\"              | must be one of [READ",
        "\"visibility\":\"INTERNAL\" | \"visibility\":\"internal\"     | not tool 2",
        "\"membership\":\"ABSENT\"   | \"membership\":\"GONE\"         | not tool 1",
        "\"resident\":false          | \"resident\":0                  | not tool 3",
        "\"name\":\"refund\"         | \"name\":\" \"                  | name of a tool must not be blank",
        "\"name\":\"refund\",        | ``                              | \"name\" is missing",
        "\"tools\":[                 | \"tools\":[[],                  | not tool 0",
        "\"tools\":[                 | \"tools\":[{},                  | \"id\" is missing",
        "\"tools\":[                 | \"tools\":{},\"x\":[            | expected an array"})
    void damageIsFoundAndSaidWhere(String was, String is, String words) throws Exception {
        String damaged = golden().replaceFirst(Pattern.quote(was),
                Matcher.quoteReplacement(is));
        assertThat(damaged).isNotEqualTo(golden());
        assertCorrupt(damaged, words);
    }

    @Test
    void aLiveToolOfWhichNothingIsSaidIsDamage() throws Exception {
        assertCorrupt(golden().replace("\"membership\":\"PRESENT\",\"orphaned\":true",
                "\"membership\":\"PRESENT\",\"orphaned\":false"),
                "tool never seen has no summary; only an orphan may have none");
    }

    @Test
    void anEmptyStateIsOne() {
        ToolState empty = new ToolRegistry().state();
        assertThat(empty.generation()).isZero();
        assertThat(ToolState.of(empty.toJson())).isEqualTo(empty);
    }

    @Test
    void aStateWithoutAnEntryCannotDecideAboutIt() {
        assertThatThrownBy(() -> registry().state().with(new ToolId("nobody"), Membership.ABSENT))
                .isInstanceOfSatisfying(BelayException.class, e -> {
                    assertThat(e.code()).isEqualTo("unknown_tool");
                    assertThat(e.getMessage()).contains("nobody");
                });
    }
}
