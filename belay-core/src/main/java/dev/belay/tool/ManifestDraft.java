package dev.belay.tool;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A manifest while it is put together. The defaults of every option stand here, once. */
final class ManifestDraft {

    ToolId id;
    final String name;
    String title = "";
    String description;
    ToolEffect effect = ToolEffect.ONCE;
    boolean resumable = false;
    Scheduling scheduling = Scheduling.PARALLEL;
    @Nullable
    ExclusiveTemplate exclusive = null;
    Timeouts timeouts = Timeouts.DEFAULT;
    RetryPolicy retry = RetryPolicy.NONE;
    boolean mayDefer = true;
    Approval approval = Approval.INHERIT;
    @Nullable
    OutputBudget budget = null;
    List<Json> examples = List.of();
    List<String> tags = List.of();
    boolean resident = true;
    Visibility visibility = Visibility.MODEL;
    int version = 1;
    DefinitionChange onDefinitionChanged = DefinitionChange.FAIL;
    ArgumentProjection argumentProjection = ArgumentProjection.materialize();
    @Nullable
    BehaviorHints hints = null;
    boolean defaultOn = true;

    ManifestDraft(String name, String description) {
        this.name = ToolName.check(name);
        this.id = ToolId.ofName(name);
        this.description = description;
    }

    ManifestDraft(ToolManifest from) {
        this(from, from.name());
    }

    ManifestDraft(ToolManifest from, String name) {
        this(name, from.description());
        id = from.id();
        title = from.title();
        effect = from.effect();
        resumable = from.resumable();
        scheduling = from.scheduling();
        exclusive = from.exclusive();
        timeouts = from.timeouts();
        retry = from.retry();
        mayDefer = from.mayDefer();
        approval = from.approval();
        budget = from.budget();
        examples = from.examples();
        tags = from.tags();
        resident = from.resident();
        visibility = from.visibility();
        version = from.version();
        onDefinitionChanged = from.onDefinitionChanged();
        argumentProjection = from.argumentProjection();
        hints = from.hints().equals(BehaviorHints.of(from.effect())) ? null : from.hints();
        defaultOn = from.defaultOn();
    }

    /** Takes what an annotation says. */
    ManifestDraft annotated(Tool tool) {
        title = tool.title();
        effect = tool.effect();
        resumable = tool.resumable();
        scheduling = tool.scheduling();
        exclusive = tool.exclusive().isEmpty() ? null : ExclusiveTemplate.of(tool.exclusive());
        timeouts = new Timeouts(duration("timeout", tool.timeout()),
                duration("idleTimeout", tool.idleTimeout()));
        retry = RetryPolicy.attempts(tool.attempts());
        mayDefer = tool.mayDefer();
        approval = tool.approval();
        examples = Arrays.stream(tool.examples()).map(this::example).toList();
        tags = List.of(tool.tags());
        resident = tool.resident();
        visibility = tool.visibility();
        version = tool.version();
        onDefinitionChanged = tool.onDefinitionChanged();
        defaultOn = tool.defaultOn();
        return this;
    }

    ToolManifest build() {
        return new ToolManifest(id, name, title, description, effect, resumable, scheduling, exclusive,
                timeouts,
                retry, mayDefer, approval, budget, examples, tags, resident, visibility, version,
                onDefinitionChanged,
                argumentProjection, hints == null ? BehaviorHints.of(effect) : hints, defaultOn);
    }

    private Json example(String text) {
        try {
            Json example = Json.of(text);
            example.fields();
            return example;
        } catch (JsonException e) {
            throw new BelayException("bad_example",
                    "tool " + name + ": the example " + text + " is not a JSON object: " + e.getMessage(), e);
        }
    }

    private @Nullable Duration duration(String option, String text) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            Duration duration = Duration.parse(text);
            if (duration.isPositive()) {
                return duration;
            }
        } catch (DateTimeParseException notOfThisForm) {
            // refused below, like one that is not positive
        }
        throw new BelayException("bad_duration", "tool " + name + ": " + option + " = \"" + text
                + "\" is not a positive ISO-8601 duration; write PT30S for thirty seconds");
    }
}
