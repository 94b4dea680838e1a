package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.PluginBinding;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract T.3: what a program gives along with an input. */
class GivenInputTest {

    record Tenant(String name, int level) {}

    private static final PluginBinding<Tenant> TENANT = PluginBinding.of("tenancy", Tenant.class);

    /** Freezes what was given, so that the body has it. */
    private static final ToolProvider FREEZING = new ToolProvider() {
        @Override
        public List<ToolDefinition> definitions() {
            return List.of(tool("who", ToolEffect.READ));
        }

        @Override
        public PrepareCall.Prepared prepare(PrepareCall call) {
            return call.freeze(Json.string(call.input(TENANT).map(Tenant::name).orElse("nobody")));
        }

        @Override
        public Object execute(PreparedCall call) {
            return call.payload().orElseThrow().asString();
        }
    };

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void whatWasGivenIsReadableInPrepare() throws Exception {
        Belay belay = bench.open(calling(List.of(call("a", "who"))), builder -> builder.tools(FREEZING));
        assertThat(belay.session("s").turn("Go.").with(TENANT, new Tenant("acme", 3)).run().ended().text())
                .isEqualTo("done: acme");
        assertThat(belay.session("s").turn("Go.").run().ended().text()).as("for one turn alone")
                .isEqualTo("done: nobody");
    }

    @Test
    void noBodyReadsWhatWasGiven() {
        assertThat(Stream.of(ToolContext.class, SessionToolContext.class, PreparedCall.class)
                .flatMap(type -> Stream.of(type.getMethods()))
                .filter(method -> List.of(method.getParameterTypes()).contains(PluginBinding.class)))
                .isEmpty();
        assertThat(PrepareCall.class.getMethods()).as("such a method would be found")
                .anyMatch(method -> List.of(method.getParameterTypes()).contains(PluginBinding.class));
    }

    @Test
    void whatWasGivenIsKeptWithTheInput() throws Exception {
        var model = calling(List.of(call("a", "who")));
        bench.dying(model, Death.at(Moment.AFTER, "effect round/1 COMPLETED"),
                builder -> builder.tools(FREEZING)).belay.session("s")
                .turn("Go.")
                .id("in")
                .with(TENANT, new Tenant("acme", 3))
                .submit();
        Belay next = bench.open(model, builder -> builder.tools(FREEZING));
        assertThat(next.session("s").input("in").orElseThrow().awaitCommit().text()).isEqualTo("done: acme");
        assertThatThrownBy(
                () -> next.session("s").turn("Go.").id("in").with(TENANT, new Tenant("evil", 3)).run())
                .as("it is part of what was said")
                .extracting("code")
                .isEqualTo("input_conflict");
    }

    @Test
    void whatWasGivenWithAnotherTypeIsTold() throws Exception {
        Belay belay = bench.open(calling(List.of(call("a", "who"))), builder -> builder.tools(FREEZING));
        PluginBinding<String> wrong = PluginBinding.of("tenancy", String.class);
        assertThat(belay.session("s").turn("Go.").with(wrong, "acme").run().ended().text())
                .contains("what was given for tenancy is no Tenant");
        assertThat(TENANT.decode(TENANT.encode(new Tenant("a", 1)))).isEqualTo(new Tenant("a", 1));
        assertThatThrownBy(() -> PluginBinding.of(" ", Tenant.class)).hasMessageContaining("needs an id");
    }
}
