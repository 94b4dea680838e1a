package dev.belay.generated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Architecture 6: companions are found by name, register themselves, and are ignored when stale. */
class CompanionsTest {

    record Fresh(int a) {}

    record Old(int a) {}

    record Broken(int a) {}

    record Alone(int a) {}

    @Test
    void theNameFollowsTheClass() {
        assertThat(Companions.nameFor("p.q.Outer$Inner$Deep")).isEqualTo("p.q.Outer_Inner_Deep__Belay");
        assertThat(Companions.nameFor("Top")).isEqualTo("Top__Belay");
    }

    @Test
    void aCompanionRegistersItselfWhenLoaded() throws Throwable {
        Companion companion = Companions.of(Fresh.class, "0123456789abcdef").orElseThrow();
        assertThat(companion.description("key")).isEqualTo("words");
        assertThat(companion.description("other")).isEmpty();
        assertThat(companion.access(Fresh.class)).isEmpty();
        Companion.Method method = companion.method("m(int)").orElseThrow();
        assertThat(method.parameters()).containsExactly("a");
        assertThat(method.invoker().invoke(null, new Object[]{3})).isEqualTo("3");
        assertThat(companion.method("n()")).isEmpty();
    }

    @Test
    void aCompanionOfAnotherShapeIsIgnored() {
        assertThat(Companions.of(Fresh.class, "0000000000000000")).isEmpty();
        assertThat(Companions.of(Fresh.class)).isPresent();
    }

    @Test
    void aCompanionOfAnotherFormatIsIgnored() {
        assertThat(Companions.of(Old.class)).isEmpty();
        assertThat(Companions.of(Old.class, "0123456789abcdef")).isEmpty();
    }

    @Test
    void aCompanionThatCannotBeInitializedIsIgnored() {
        assertThat(Companions.of(Broken.class)).isEmpty();
        assertThat(Companions.of(Broken.class)).isEmpty();
    }

    @Test
    void aClassWithoutCompanionHasNone() {
        assertThat(Companions.of(Alone.class)).isEmpty();
        assertThat(Companions.of(String.class)).isEmpty();
    }

    static void register(Class<?> owner, int format) {
        Companion.builder(format, "0123456789abcdef")
                .describe("key", "words")
                .method("m(int)", List.of("a"), (target, arguments) -> String.valueOf(arguments[0]))
                .register(owner);
    }
}

@SuppressWarnings("unused") // loaded by name
final class CompanionsTest_Fresh__Belay {
    static {
        CompanionsTest.register(CompanionsTest.Fresh.class, Companion.FORMAT);
    }

    private CompanionsTest_Fresh__Belay() {}
}

@SuppressWarnings("unused") // loaded by name
final class CompanionsTest_Old__Belay {
    static {
        CompanionsTest.register(CompanionsTest.Old.class, Companion.FORMAT + 1);
    }

    private CompanionsTest_Old__Belay() {}
}

@SuppressWarnings("unused") // loaded by name
final class CompanionsTest_Broken__Belay {
    static {
        CompanionsTest.register(CompanionsTest.class, Integer.parseInt("broken"));
    }

    private CompanionsTest_Broken__Belay() {}
}
