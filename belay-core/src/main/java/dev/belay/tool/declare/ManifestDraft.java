package dev.belay.tool.declare;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.option.Approval;
import dev.belay.tool.option.ArgumentProjection;
import dev.belay.tool.option.BehaviorHints;
import dev.belay.tool.option.DefinitionChange;
import dev.belay.tool.option.ExclusiveTemplate;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.OutputBudget;
import dev.belay.tool.option.RetryPolicy;
import dev.belay.tool.option.Scheduling;
import dev.belay.tool.option.Timeouts;
import dev.belay.tool.option.Visibility;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A manifest while it is put together. The defaults of every option stand here, once. */
public final class ManifestDraft {

    /** The advice for a tool that a class or method declares. */
    public static final String WRITE_IT = "Write Javadoc (needs the annotation processor), @Description, or "
            + "@Tool(undescribed = true)";
    /** The advice for a tool that is made from its parts. */
    public static final String PASS_IT = "Pass a description that says what the tool does; for a tool that another "
            + "system describes, use ToolDefinition.foreign";

    public ToolId id;
    final String name;
    public String title = "";
    public String description;
    public ToolEffect effect = ToolEffect.ONCE;
    public boolean resumable = false;
    public Scheduling scheduling = Scheduling.PARALLEL;
    public @Nullable ExclusiveTemplate exclusive = null;
    public Timeouts timeouts = Timeouts.DEFAULT;
    public RetryPolicy retry = RetryPolicy.NONE;
    public boolean mayDefer = true;
    public Approval approval = Approval.INHERIT;
    public @Nullable OutputBudget budget = null;
    public List<Json> examples = List.of();
    public List<String> tags = List.of();
    public boolean resident = true;
    public Visibility visibility = Visibility.MODEL;
    public int version = 1;
    public String target = "";
    public DefinitionChange onDefinitionChanged = DefinitionChange.FAIL;
    public OnDoubt onDoubt = OnDoubt.TELL;
    public ArgumentProjection argumentProjection = ArgumentProjection.materialize();
    public @Nullable BehaviorHints hints = null;
    boolean defaultOn = true;

    public ManifestDraft(String name, String description) {
        this.name = ToolName.check(name);
        this.id = ToolId.ofName(name);
        this.description = description;
    }

    public ManifestDraft(ToolManifest from) {
        this(from, from.name());
    }

    public ManifestDraft(ToolManifest from, String name) {
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
        target = from.target();
        onDefinitionChanged = from.onDefinitionChanged();
        onDoubt = from.onDoubt();
        argumentProjection = from.argumentProjection();
        hints = from.hints().equals(BehaviorHints.of(from.effect())) ? null : from.hints();
        defaultOn = from.defaultOn();
    }

    /** This draft, if it has a description; else the advice is given. */
    public ManifestDraft described(String advice) {
        if (description.isBlank()) {
            throw new BelayException("missing_description", "tool " + name
                    + " has no description; a model cannot choose what it does not understand. " + advice);
        }
        return this;
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
        onDoubt = tool.onDoubt();
        defaultOn = tool.defaultOn();
        return this;
    }

    public ToolManifest build() {
        return new ToolManifest(id, name, title, description, effect, resumable, scheduling, exclusive,
                timeouts,
                retry, mayDefer, approval, budget, examples, tags, resident, visibility, version,
                target, onDefinitionChanged, onDoubt,
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
