package dev.belay.runtime.dispatch.call;

import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.Admission;
import dev.belay.tool.call.Contracts;
import dev.belay.tool.option.DefinitionChange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tools of today: by name for a new call, by id for a recorded call. Thread-safe. */
public final class Offered {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    private final ToolProvider provider;
    private final Predicate<ToolManifest> offering;
    private final List<String> missing;
    private volatile @Nullable View view;

    private record View(List<ToolDefinition> definitions, Admission admission,
            Map<ToolId, ToolDefinition> byId) {}

    /**
     * Tools of a provider.
     *
     * @param offering which of them a new call may name
     * @param missing names of further tools, whose source is not there
     */
    public Offered(ToolProvider provider, Predicate<ToolManifest> offering, List<String> missing) {
        this.provider = provider;
        this.offering = offering;
        this.missing = List.copyOf(missing);
    }

    ToolProvider provider() {
        return provider;
    }

    Optional<ToolDefinition> find(String name) {
        return view().admission.find(name);
    }

    Optional<ToolDefinition> find(ToolId id) {
        return Optional.ofNullable(view().byId.get(id));
    }

    /** Whether a tool changes nothing and holds nothing, so that its body may run again unseen. */
    boolean onlyReads(String name) {
        return find(name).map(ToolDefinition::manifest)
                .filter(tool -> tool.effect() == ToolEffect.READ && !tool.resumable()
                        && tool.exclusive() == null)
                .isPresent();
    }

    /** The tool that a model asked for; ends the call if it is not offered, or has no contract. */
    ToolDefinition admit(String name) throws CallEnded {
        Admission admission = view().admission;
        ToolDefinition definition = admission.find(name).orElse(null);
        if (definition == null) {
            throw new CallEnded(admission.refusal(name));
        }
        try {
            definition.contract();
            return definition;
        } catch (ToolException unavailable) {
            LOG.warn("Tool {} has no contract", name, unavailable);
            throw new CallEnded(unavailable.failure());
        }
    }

    /**
     * The tool of a call that was recorded; ends the call if its meaning has changed and it must not go on.
     *
     * @param started whether the body may have done something
     */
    ToolDefinition today(Preparation recorded, boolean started) throws CallEnded {
        ToolDefinition definition = view().byId.get(recorded.tool());
        if (definition == null) {
            throw changed("tool " + recorded.tool() + " does not exist any more", started);
        }
        if (definition.fingerprint().equals(recorded.fingerprint())) {
            return definition;
        }
        boolean effective = started && definition.manifest().effect() != ToolEffect.READ;
        String what = "tool " + definition.name() + " has changed since this call was recorded";
        return switch (definition.manifest().onDefinitionChanged()) {
            case CONTINUE -> definition;
            case FAIL -> throw changed(what, effective);
            case ASK -> throw changed(what + ", and no person has agreed to that (onDefinitionChanged "
                    + DefinitionChange.ASK + ")", effective).unlessAPersonAgrees(definition);
        };
    }

    private static CallEnded changed(String what, boolean started) {
        ToolFailure failure = ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE, "definition_changed",
                what + "; call it anew if it is still wanted");
        return new CallEnded(started ? failure.thatMayHaveHappened() : failure);
    }

    private View view() {
        View known = view;
        List<ToolDefinition> definitions = Contracts.of(provider,
                known == null ? List.of() : known.definitions);
        if (known == null || !known.definitions.equals(definitions)) {
            known = viewOf(definitions);
            view = known;
        }
        return known;
    }

    private View viewOf(List<ToolDefinition> definitions) {
        Map<Boolean, List<ToolDefinition>> parts = definitions.stream()
                .collect(Collectors.partitioningBy(definition -> offering.test(definition.manifest())));
        List<String> others = Stream.concat(missing.stream(),
                parts.getOrDefault(false, List.of()).stream().map(ToolDefinition::name)).toList();
        return new View(definitions, Admission.of(parts.getOrDefault(true, List.of()), others),
                definitions.stream()
                        .collect(Collectors.toUnmodifiableMap(ToolDefinition::id, Function.identity())));
    }
}
