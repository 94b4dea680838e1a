package dev.belay.benchmarks;

import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolInput;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.agent.tool.ToolSpecifications;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.ai.tool.support.ToolDefinitions;

/**
 * Declares many tools in a process of its own, makes their schemas, calls the last one, and prints the milliseconds after which
 * each was done, and the processor time of the whole process.
 */
final class StartupProbe {

    private final long start = System.nanoTime();
    private final int count;

    private StartupProbe(int count) {
        this.count = count;
    }

    /** Takes {@code belay}, {@code langchain4j} or {@code spring}, and the number of tools. */
    public static void main(String[] args) throws Exception {
        var probe = new StartupProbe(Integer.parseInt(args[1]));
        switch (args[0]) {
            case "belay" -> probe.belay();
            case "langchain4j" -> probe.langChain4j();
            case "spring" -> probe.springAi();
            default -> throw new IllegalArgumentException(
                    "expected belay, langchain4j or spring, found " + args[0]);
        }
        long processor = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
        System.out.printf("processor %d%n", processor);
    }

    @SuppressWarnings("unchecked")
    private void belay() throws Exception {
        List<ToolDefinition> definitions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            definitions.add(ToolDefinition
                    .of((Class<? extends ToolInput<?>>) Class.forName(ToolSources.recordName(i))));
        }
        Class<?> output = Class.forName(ToolSources.recordName(count - 1) + "$Found");
        Constructor<?> make = output.getConstructor(String.class, int.class, double.class);
        var provider = StaticToolProvider.of(definitions, call -> make.newInstance("ada", 3, 1.5));
        provider.definitions();
        report("declared");
        int characters = 0;
        for (ToolDefinition definition : provider.definitions()) {
            characters += definition.spec().inputSchema().text().length();
        }
        report("schemas");
        demand(characters > 0 && ToolCaller.of(provider)
                .call(definitions.getLast().name(), ToolSources.arguments(count - 1))
                .text()
                .contains("ada"));
        report("called");
    }

    private void langChain4j() throws Exception {
        List<ToolSpecification> specifications = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            specifications.add(ToolSpecifications.toolSpecificationFrom(method(i)));
        }
        report("declared");
        int fields = 0;
        for (ToolSpecification specification : specifications) {
            fields += JsonSchemaElementUtils.toMap(specification.parameters()).size();
        }
        report("schemas");
        var executor = new DefaultToolExecutor(service(count - 1), method(count - 1));
        var request = ToolExecutionRequest.builder()
                .id("1")
                .name(specifications.getLast().name())
                .arguments(ToolSources.arguments(count - 1))
                .build();
        demand(fields > 0 && executor.execute(request, "1").contains("ada"));
        report("called");
    }

    private void springAi() throws Exception {
        List<MethodToolCallback> callbacks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            callbacks.add(MethodToolCallback.builder()
                    .toolDefinition(ToolDefinitions.from(method(i)))
                    .toolMethod(method(i))
                    .toolObject(service(i))
                    .build());
        }
        report("declared");
        int characters = 0;
        for (MethodToolCallback callback : callbacks) {
            characters += callback.getToolDefinition().inputSchema().length();
        }
        report("schemas");
        demand(characters > 0
                && callbacks.getLast().call(ToolSources.arguments(count - 1)).contains("ada"));
        report("called");
    }

    private static Method method(int index) throws ReflectiveOperationException {
        return Class.forName(ToolSources.methodsName(index))
                .getMethod("lookup" + index, String.class, int.class, boolean.class, double.class);
    }

    private static Object service(int index) throws ReflectiveOperationException {
        return Class.forName(ToolSources.methodsName(index)).getConstructor().newInstance();
    }

    private static void demand(boolean right) {
        if (!right) {
            throw new IllegalStateException("the tool answered something else");
        }
    }

    private void report(String done) {
        System.out.printf("%s %.1f%n", done, (System.nanoTime() - start) / 1e6);
    }
}
