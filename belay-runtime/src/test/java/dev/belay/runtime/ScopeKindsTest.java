package dev.belay.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeRunner;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Fence;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each kind of scope has its runner, and a child is run by the runner of the scope it is below. */
class ScopeKindsTest {

    private static final ScopeId ONE = new ScopeId("one/1");

    private final List<Object> served = new ArrayList<>();
    private final ScopeKinds kinds = new ScopeKinds((JournalHost) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[]{JournalHost.class}, (host, method, arguments) -> {
                served.add(arguments[arguments.length - 1]);
                return null;
            }), scope -> {}, (scope, input) -> {}, () -> {});

    @BeforeEach
    void add() {
        kinds.add("one/1", (scope, input) -> Json.string("one ran " + input.kind()));
        kinds.add("two/1", new ScopeRunner() {
            @Override
            public Json run(EffectScope scope, ScopeInput input) {
                return Json.string("two ran " + input.kind());
            }

            @Override
            public ToolOutcome child(EffectScope scope, ScopeInput input) {
                return new ToolOutcome.Success(Json.string("two ran child " + input.kind()));
            }

            @Override
            public String keeper(ScopeId scope) {
                return scope.value().startsWith("two/") ? "two/" : scope.value();
            }
        });
    }

    private static EffectScope scope(ScopeId id, long fence) {
        return (EffectScope) Proxy.newProxyInstance(ScopeKindsTest.class.getClassLoader(),
                new Class<?>[]{EffectScope.class},
                (scope, method, arguments) -> method.getName().equals("id") ? id : new Fence(fence));
    }

    private String run(ScopeId id, long fence, String kind) {
        return kinds.run(scope(id, fence), new ScopeInput(kind, Json.EMPTY_OBJECT)).asString();
    }

    private String child(long fence) {
        return kinds.child(scope(ONE, fence), new ScopeInput("call/1", Json.EMPTY_OBJECT)).text();
    }

    @Test
    void aKindAndWhatNarrowsItHaveOneRunner() {
        assertThat(run(ONE, 1, "one/1")).isEqualTo("one ran one/1");
        assertThat(run(new ScopeId("two/1"), 1, "two/1/by name")).isEqualTo("two ran two/1/by name");
    }

    @Test
    void aKindWithoutARunnerIsUnknown() {
        assertThatThrownBy(() -> run(ONE, 1, "three/1")).isInstanceOf(BelayException.class)
                .hasMessageContaining("is of kind three/1; this runtime has [one/1, two/1]");
    }

    @Test
    void aChildIsRunByTheRunnerOfTheScopeItIsBelow() {
        run(ONE, 1, "two/1");
        assertThat(child(1)).isEqualTo("two ran child call/1");
        kinds.left(ONE, 1);
        assertThatThrownBy(() -> child(1)).isInstanceOf(NullPointerException.class)
                .hasMessage("the scope of a child is entered here");
    }

    @Test
    void leavingAnOldClaimKeepsTheNewOne() {
        run(ONE, 1, "two/1");
        run(ONE, 2, "two/1");
        kinds.left(ONE, 1);
        assertThat(child(2)).isEqualTo("two ran child call/1");
    }

    @Test
    void aRunnerNamesTheKeeperOfItsOwnScopes() {
        assertThat(kinds.keeper(new ScopeId("two/7"))).isEqualTo("two/");
        assertThat(kinds.keeper(ONE)).isEqualTo("one/1");
    }

    @Test
    void oneMoreKindIsServedWithThoseBefore() {
        kinds.open(Set.of("one/1"));
        kinds.serve("two/1/by name");
        assertThat(served).containsExactly(Set.of("one/1"), Set.of("one/1", "two/1/by name"));
    }
}
