package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.tests.Project;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.option.Approval;
import dev.belay.tool.option.ArgumentProjection;
import dev.belay.tool.option.BehaviorHints;
import dev.belay.tool.option.DefinitionChange;
import dev.belay.tool.option.Scheduling;
import dev.belay.tool.option.Timeouts;
import dev.belay.tool.option.Visibility;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code docs/tools.md} says of its code. */
class ToolSnippetsTest {

    @Test
    void recordsOfASetAreTools() {
        assertThat(ToolDefinition.allOf(ToolSnippets.AccountTools.class)).extracting(ToolDefinition::name)
                .containsExactly("balance", "transfer");
        var caller = ToolCaller.of(ToolSnippets.accounts());
        assertThat(caller.call("balance", "{\"account\":\"A\"}").text()).isEqualTo("12.50");
        assertThat(caller.call("transfer", "{\"from\":\"A\",\"to\":\"B\",\"amount\":12.50}").text())
                .isEqualTo("{\"number\":\"R-1\",\"left\":0}");
    }

    @Test
    void markedUnionIsOneTool() {
        var provider = StaticToolProvider.builder()
                .tool(ToolSnippets.Lookup.class, (in, context) -> switch (in) {
                    case ToolSnippets.Lookup.ByEmail(String email) -> email;
                    case ToolSnippets.Lookup.ByNumber(long number) -> "number " + number;
                })
                .build();
        assertThat(ToolCaller.of(provider).call("lookup", "{\"type\":\"by_number\",\"number\":4}").text())
                .isEqualTo("number 4");
    }

    @Test
    @SuppressWarnings("NullAway") // null is the only value of Void
    void markedEnumIsOneTool() {
        var provider = StaticToolProvider.builder()
                .tool(ToolSnippets.Light.class, (in, context) -> null)
                .build();
        assertThat(ToolCaller.of(provider).call("light", "{\"type\":\"ON\"}").text())
                .isEqualTo("(no output)");
    }

    @Test
    void hostSuppliesWhatTheModelMayNotChoose() {
        var caller = ToolCaller.of(ToolSnippets.notes());
        assertThat(caller.call("keep_note", "{\"title\":\"t\",\"text\":\"milk\"}").text())
                .isEqualTo("(no output)");
        assertThat(caller.call("read_note", "{\"title\":\"t\"}").text()).isEqualTo("milk");
        assertThat(caller.call("read_note", "{\"title\":\"u\"}").text())
                .isEqualTo("Error (tool_failed): there is no note u");
        assertThat(caller.call("read_note", "{\"title\":\"t\",\"tenant\":\"other\"}").text())
                .contains("/tenant: is not a known field");
        assertThat(ToolSnippets.notes().missingHostValues()).isEmpty();
    }

    @Test
    void typedAndRawToolsRun() {
        var caller = ToolCaller.of(ToolSnippets.mixed());
        assertThat(caller.call("search", "{\"text\":\"knot\",\"page\":2}").text())
                .isEqualTo("[\"knot on page 2\"]");
        assertThat(caller.call("ping", "{\"host\":\"db1\"}").text()).isEqualTo("db1 is up");
        assertThat(ToolSnippets.SEARCH.manifest().effect()).isEqualTo(ToolEffect.READ);
        assertThat(ToolSnippets.SEARCH.manifest().retry().attempts()).isEqualTo(3);
    }

    @Test
    void simpleToolTakesAnyObject() {
        var caller = ToolCaller.of(ToolSnippets.simple());
        assertThat(caller.call("add_numbers", "{\"a\":2,\"b\":3}").text()).isEqualTo("5");
        assertThat(caller.call("add_numbers", "{\"a\":2}").text())
                .isEqualTo("Error (tool_failed): b is missing");
        assertThat(ToolSnippets.simple().definitions().getFirst().spec().inputSchema())
                .isEqualTo(Json.of("{\"type\":\"object\"}"));
    }

    @Test
    void frozenPayloadReachesTheBody() {
        assertThat(ToolCaller.of(new ToolSnippets.Prices()).call("buy", "{\"item\":\"rope\"}").text())
                .isEqualTo("bought for 250");
    }

    @Test
    void resultsReadAsThePageSays() {
        var definition = ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\"}"));
        var caller = ToolCaller.of(StaticToolProvider.of(List.of(definition),
                call -> ToolSnippets.pay(call.arguments().get("cents").orElseThrow().asLong())));
        assertThat(caller.call("pay", "{\"cents\":-1}").text())
                .isEqualTo("Error (tool_failed): cents must not be negative");
        assertThat(caller.call("pay", "{\"cents\":100001}").text())
                .isEqualTo("Error (over_limit): at most 100000 cents; ask a person for more");
        assertThat(caller.call("pay", "{\"cents\":13}").text())
                .isEqualTo("Error (tool_threw): printer on fire");
        assertThat(caller.call("pay", "{\"cents\":0}").text()).isEqualTo("(no output)");
        assertThat(caller.call("pay", "{\"cents\":5}").text()).isEqualTo("paid 5");
    }

    @Test
    void everyOptionIsOnThePage() {
        String page = Project.here().read("docs/tools.md");
        String table = page.substring(page.indexOf("## Options"), page.indexOf("## Providers"));
        var attributes = Arrays.stream(Tool.class.getDeclaredMethods()).map(Method::getName);
        var methods = Arrays.stream(ToolDefinition.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers())
                        && !Modifier.isStatic(method.getModifiers())
                        && method.getReturnType() == ToolDefinition.class)
                .map(Method::getName);
        assertThat(Stream.concat(attributes, methods)).isNotEmpty()
                .allSatisfy(option -> assertThat(table).contains("`" + option + "`"));
    }

    @Test
    void defaultsAreThoseOfThePage() {
        ToolManifest manifest = ToolSnippets.PING.manifest();
        assertThat(manifest.id()).hasToString("tool:ping");
        assertThat(manifest.title()).isEmpty();
        assertThat(manifest.effect()).isEqualTo(ToolEffect.ONCE);
        assertThat(manifest.resumable()).isFalse();
        assertThat(manifest.scheduling()).isEqualTo(Scheduling.PARALLEL);
        assertThat(manifest.exclusive()).isNull();
        assertThat(manifest.timeouts()).isEqualTo(new Timeouts(null, null));
        assertThat(manifest.retry().attempts()).isEqualTo(1);
        assertThat(manifest.mayDefer()).isTrue();
        assertThat(manifest.approval()).isEqualTo(Approval.INHERIT);
        assertThat(manifest.budget()).isNull();
        assertThat(manifest.examples()).isEmpty();
        assertThat(manifest.tags()).isEmpty();
        assertThat(manifest.resident()).isTrue();
        assertThat(manifest.visibility()).isEqualTo(Visibility.MODEL);
        assertThat(manifest.version()).isEqualTo(1);
        assertThat(manifest.onDefinitionChanged()).isEqualTo(DefinitionChange.FAIL);
        assertThat(manifest.argumentProjection()).isEqualTo(ArgumentProjection.materialize());
        assertThat(manifest.hints()).isEqualTo(BehaviorHints.of(ToolEffect.ONCE));
        assertThat(manifest.defaultOn()).isTrue();
    }

    @Test
    void aServerIsAskedForTheSchemaOfAToolWhenItIsCalled() {
        var server = new ToolSnippets.Server() {
            @Override
            public List<String> names() {
                return List.of("sum");
            }

            @Override
            public Optional<Json> schema(String id) {
                return Optional.of(Json.of("{\"type\":\"object\",\"required\":[\"a\"]}"));
            }

            @Override
            public Json call(String name, Json arguments) {
                return Json.string(name + " " + arguments);
            }
        };
        var caller = ToolCaller.of(new ToolSnippets.ServerTools(server));
        assertThat(caller.call("sum", "{}").code()).contains("invalid_arguments");
        assertThat(caller.call("sum", "{\"a\":1}").text()).isEqualTo("sum {\"a\":1}");
    }
}
