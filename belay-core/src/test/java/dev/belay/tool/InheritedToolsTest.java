package dev.belay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** Tool methods that an object has from a superclass, an interface or behind a proxy. */
class InheritedToolsTest {

    interface Greeter {
        @Tool(undescribed = true)
        String greet(String name);
    }

    static class Base {
        @Tool(undescribed = true)
        String inherited() {
            return "base";
        }

        @Tool(undescribed = true)
        String overridden() {
            return "base";
        }

        @Tool(undescribed = true)
        String replaced() {
            return "base";
        }
    }

    static class Sub extends Base implements Greeter {
        @Tool(undescribed = true)
        String own() {
            return "sub";
        }

        @Override
        String overridden() {
            return "sub";
        }

        @Override
        @Tool(undescribed = true, name = "renamed")
        String replaced() {
            return "sub";
        }

        @Override
        public String greet(String name) {
            return "Hello " + name;
        }
    }

    /** As frameworks make them at run time: overrides everything, without annotations. */
    static final class Sub$$Enhanced extends Sub {
        @Override
        String own() {
            return "around " + super.own();
        }
    }

    @Test
    void methodsOfSuperclassesAndInterfacesAreToolsBesideTheOwnOnes() {
        var methods = ToolMethods.of(new Sub());
        assertThat(methods.definitions()).extracting(ToolDefinition::name)
                .containsExactly("own", "renamed", "inherited", "overridden", "greet");
        var caller = ToolCaller.of(methods);
        assertThat(caller.call("inherited", "").text()).isEqualTo("base");
        assertThat(caller.call("overridden", "").text()).isEqualTo("sub");
        assertThat(caller.call("renamed", "").text()).isEqualTo("sub");
        assertThat(caller.call("greet", "{\"name\":\"Ada\"}").text()).isEqualTo("Hello Ada");
    }

    @Test
    void aSubclassMadeByAFrameworkIsCalledAndNotGoneAround() {
        assertThat(ToolCaller.of(ToolMethods.of(new Sub$$Enhanced())).call("own", "").text())
                .isEqualTo("around sub");
    }

    @Test
    void toolsOfAnInterfaceAreFoundBehindAProxyOfTheJdk() {
        assertThat(ToolCaller.of(ToolMethods.of(proxy(new Sub(), Greeter.class)))
                .call("greet", "{\"name\":\"Ada\"}")
                .text()).isEqualTo("around Hello Ada");
    }

    interface Clock {
        String time(String city);
    }

    static class WallClock implements Clock {
        @Override
        @Tool(undescribed = true)
        public String time(String city) {
            return "noon in " + city;
        }
    }

    @Test
    void toolsOfAClassAreRunThroughAProxyThatHidesTheClass() {
        Object proxy = proxy(new WallClock(), Clock.class);
        assertThatThrownBy(() -> ToolMethods.of(proxy)).hasMessageContaining("has no tools");
        assertThat(ToolCaller.of(ToolMethods.of(WallClock.class, proxy))
                .call("time", "{\"city\":\"Oslo\"}")
                .text()).isEqualTo("around noon in Oslo");
    }

    @Test
    void aMethodThatAProxyDoesNotHaveIsRefusedAtOnce() {
        assertThatThrownBy(() -> ToolMethods.of(Base.class, proxy(new WallClock(), Clock.class)))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("not_a_tool"))
                .hasMessageStartingWith(
                        Base.class.getName() + ".inherited() cannot be called on an object of ")
                .hasMessageEndingWith(
                        "add the method to an interface, or give the object itself instead of a proxy");
    }

    interface Typed<T> {
        T twice(T value);
    }

    static class Doubling implements Typed<String> {
        @Override
        @Tool(undescribed = true)
        public String twice(String value) {
            return value + value;
        }
    }

    static class DoublingAgain extends Doubling {
        @Override
        @Tool(undescribed = true)
        public String twice(String value) {
            return super.twice(value) + "!";
        }
    }

    @Test
    void bridgesOfTheCompilerAreNoTools() {
        assertThat(
                ToolCaller.of(ToolMethods.of(new DoublingAgain())).call("twice", "{\"value\":\"a\"}").text())
                .isEqualTo("aa!");
    }

    static class Namesake extends Base {
        @Tool(undescribed = true, name = "inherited")
        String other(int number) {
            return "other";
        }
    }

    @Test
    void twoInheritedToolsOfOneNameAreRefusedAndBothPlacesNamed() {
        assertThatThrownBy(() -> ToolMethods.of(new Namesake()))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("duplicate_tool_name"))
                .hasMessageContaining("stands twice in " + Namesake.class.getName() + ": other(int) and "
                        + Base.class.getName() + ".inherited()");
    }

    @Test
    void whatIsToolMethodsAlreadyStaysAsItIs() {
        var methods = ToolMethods.of(new Sub());
        assertThat(ToolMethods.of((Object) methods)).isSameAs(methods);
        assertThatThrownBy(() -> ToolMethods.of(new SimpleToolRegistry())).hasMessage(
                SimpleToolRegistry.class.getName()
                        + " is a ToolProvider; give it where providers are taken, as in tools(…) of the runtime");
    }

    private static Object proxy(Object target, Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
                (proxy, method, arguments) -> {
                    try {
                        return "around " + method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    interface Looks {
        @Tool(effect = ToolEffect.READ, undescribed = true)
        default String look() {
            return "reads";
        }
    }

    interface Pays extends Looks {
        @Override
        @Tool(effect = ToolEffect.ONCE, undescribed = true)
        default String look() {
            return "pays";
        }
    }

    interface AlsoLooks {
        @Tool(effect = ToolEffect.ONCE, undescribed = true, name = "other")
        String look();
    }

    static final class LooksFirst implements Looks, Pays {}

    static final class Ambiguous implements Looks, AlsoLooks {
        @Override
        public String look() {
            return "both";
        }
    }

    static final class Decided implements Looks, AlsoLooks {
        @Override
        @Tool(effect = ToolEffect.IDEMPOTENT, undescribed = true)
        public String look() {
            return "decided";
        }
    }

    @Test
    void theOptionsAreThoseOfTheMethodThatRuns() {
        var methods = ToolMethods.of(new LooksFirst());
        assertThat(methods.definitions()).extracting(tool -> tool.manifest().effect())
                .containsExactly(ToolEffect.ONCE);
        assertThat(ToolCaller.of(methods).call("look", "").text()).isEqualTo("pays");
        assertThat(ToolMethods.of(new Decided()).definitions()).extracting(tool -> tool.manifest().effect())
                .containsExactly(ToolEffect.IDEMPOTENT);
    }

    @Test
    void aMethodThatTwoUnrelatedTypesMarkIsRefused() {
        assertThatThrownBy(() -> ToolMethods.of(new Ambiguous())).isInstanceOf(BelayException.class)
                .hasMessageContainingAll("inherits the tool look() from both ", "$Looks and ", "$AlsoLooks",
                        "mark the method in " + Ambiguous.class.getName() + " itself");
    }

    abstract static class Generic<T> {
        @Tool(undescribed = true)
        String take(T value) {
            return "generic";
        }

        @Tool(undescribed = true)
        String plain() {
            return "plain";
        }
    }

    static final class OfNumbers extends Generic<Integer> {
        @Override
        @Tool(undescribed = true)
        String take(Integer value) {
            return "number " + value;
        }
    }

    static final class OfTexts extends Generic<String> {}

    @Test
    void aMarkedOverrideOfAGenericMethodReplacesIt() {
        var methods = ToolMethods.of(new OfNumbers());
        assertThat(methods.definitions()).extracting(ToolDefinition::name).containsExactly("take", "plain");
        assertThat(ToolCaller.of(methods).call("take", "{\"value\":1}").text()).isEqualTo("number 1");
    }

    @Test
    void aTypeVariableIsRefusedWithTheMethodThatHasIt() {
        assertThatThrownBy(() -> ToolMethods.of(new OfTexts()))
                .hasMessageContainingAll(Generic.class.getName() + ".take(java.lang.Object)",
                        "type T has no schema", "use a concrete type");
    }
}
