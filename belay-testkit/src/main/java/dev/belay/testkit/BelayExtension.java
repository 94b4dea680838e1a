package dev.belay.testkit;

import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import java.lang.reflect.AnnotatedElement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.platform.commons.support.AnnotationSupport;

/** Resolves the parameters that {@link BelayTest} lists, all from one {@link ToolHarness} a test. */
final class BelayExtension implements ParameterResolver {

    private static final ExtensionContext.Namespace PLACE = ExtensionContext.Namespace
            .create(BelayExtension.class);
    private static final Map<Class<?>, Function<ToolHarness, Object>> PARTS = parts();

    private static Map<Class<?>, Function<ToolHarness, Object>> parts() {
        Map<Class<?>, Function<ToolHarness, Object>> parts = new LinkedHashMap<>();
        parts.put(Belay.class, ToolHarness::belay);
        parts.put(ToolHarness.class, harness -> harness);
        parts.put(FakeTime.class, ToolHarness::time);
        parts.put(ScriptedModel.class, ToolHarness::model);
        parts.put(ScriptedPerson.class, ToolHarness::person);
        parts.put(BelayBuilder.class, ToolHarness::builder);
        return parts;
    }

    /** Claims all types of ours, to say what there is; those of a parameterized test may be its arguments. */
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return PARTS.containsKey(type) || (type.getName().startsWith("dev.belay.")
                && !AnnotationSupport.isAnnotated(parameter.getDeclaringExecutable(),
                        ParameterizedTest.class));
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        AnnotatedElement method = parameter.getDeclaringExecutable();
        Function<ToolHarness, Object> part = PARTS.get(type);
        if (part == null) {
            throw new ParameterResolutionException("@BelayTest has no " + type.getSimpleName()
                    + " to give, but "
                    + PARTS.keySet().stream().map(Class::getSimpleName).collect(Collectors.joining(", ")));
        }
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException(
                    "@BelayTest makes a runtime for each test: take " + type.getSimpleName()
                            + " in the test or in a @BeforeEach method, found " + method);
        }
        if (type == BelayBuilder.class && !AnnotationSupport.isAnnotated(method, BeforeEach.class)) {
            throw new ParameterResolutionException(
                    "the runtime is built before a test begins: take BelayBuilder in a"
                            + " @BeforeEach method, or change it here by ToolHarness.with(…) before the first call");
        }
        return part.apply(context.getStore(PLACE)
                .computeIfAbsent(ToolHarness.class, key -> new ToolHarness(), ToolHarness.class));
    }
}
