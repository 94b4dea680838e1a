package dev.belay.tool.call;

import dev.belay.BelayException;
import dev.belay.tool.ToolContract;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolProvider;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Asks providers for the contracts of their tools when these are needed. */
public final class Contracts {

    private static final ClassValue<Boolean> DEFINES = overriding("definitions");
    private static final ClassValue<Boolean> ANSWERS = overriding("contract", ToolId.class);

    private Contracts() {}

    /** The tools of a provider that only lists them. */
    public static List<ToolDefinition> listed(ToolProvider provider) {
        return provider.manifests()
                .stream()
                .map(manifest -> ToolDefinition.raw(manifest, () -> ask(provider, manifest)))
                .toList();
    }

    /**
     * The tools of a provider with the contracts that it answers. A tool whose manifest has not changed keeps its definition, and with
     * it the contract that was asked for.
     *
     * @param known what this method returned before, or nothing
     */
    public static List<ToolDefinition> of(ToolProvider provider, List<ToolDefinition> known) {
        List<ToolDefinition> now = List.copyOf(
                Objects.requireNonNull(provider.definitions(), "definitions() returned null"));
        if (!ANSWERS.get(provider.getClass())) {
            return now;
        }
        Map<ToolId, ToolDefinition> before = new HashMap<>();
        known.forEach(tool -> before.put(tool.id(), tool));
        return now.stream().map(tool -> {
            ToolDefinition same = before.get(tool.id());
            return same != null && same.codec().equals(tool.codec())
                    && same.manifest().equals(tool.manifest())
                            ? same
                            : tool.contract(() -> ask(provider, tool.manifest()));
        }).toList();
    }

    private static ToolContract ask(ToolProvider provider, ToolManifest manifest) {
        RuntimeException cause = null;
        try {
            Optional<ToolContract> contract = provider.contract(manifest.id());
            if (contract.isPresent()) {
                return contract.get();
            }
        } catch (RuntimeException failed) {
            cause = failed;
        }
        throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE,
                "tool_contract_unavailable", "tool " + manifest.name()
                        + " is listed, but what it takes is not known now; try again later"),
                cause);
    }

    /** Refuses a provider that has no tools because it overrides neither of the two methods that list them. */
    public static void requireDefinitions(ToolProvider provider) {
        if (!hasDefinitions(provider)) {
            throw new BelayException("source_unreadable", provider.getClass().getName()
                    + " lists no tools; override definitions(), or manifests() together with contract(id)");
        }
    }

    /** Whether a provider has definitions of its own, rather than manifests. */
    public static boolean hasDefinitions(ToolProvider provider) {
        return DEFINES.get(provider.getClass());
    }

    private static ClassValue<Boolean> overriding(String method, Class<?>... parameters) {
        return new ClassValue<>() {
            @Override
            protected Boolean computeValue(Class<?> provider) {
                try {
                    return provider.getMethod(method, parameters).getDeclaringClass() != ToolProvider.class;
                } catch (NoSuchMethodException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }
}
