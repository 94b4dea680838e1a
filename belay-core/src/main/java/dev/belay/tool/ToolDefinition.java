package dev.belay.tool;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonMismatchException;
import dev.belay.model.ToolSpec;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.Shown;
import dev.belay.schema.TypeRef;
import dev.belay.schema.Wording;
import dev.belay.schema.shape.ReflectedType;
import dev.belay.schema.shape.TypeView;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.Lazy;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.call.ToolCodec;
import dev.belay.tool.declare.BodyNeeds;
import dev.belay.tool.declare.DeclaredTools;
import dev.belay.tool.declare.InputChecks;
import dev.belay.tool.declare.ManifestDraft;
import dev.belay.tool.declare.ProcessorNotice;
import dev.belay.tool.declare.RawContract;
import dev.belay.tool.declare.TypedDeclaration;
import dev.belay.tool.option.Approval;
import dev.belay.tool.option.ArgumentProjection;
import dev.belay.tool.option.BehaviorHints;
import dev.belay.tool.option.DefinitionChange;
import dev.belay.tool.option.ExclusiveTemplate;
import dev.belay.tool.option.Fingerprint;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.OutputBudget;
import dev.belay.tool.option.RetryPolicy;
import dev.belay.tool.option.Scheduling;
import dev.belay.tool.option.Timeouts;
import dev.belay.tool.option.Visibility;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is declared about one tool. Immutable and thread-safe: each option returns a new definition. The defaults
 * stand in the table of {@code docs/tools.md}.
 */
public final class ToolDefinition {

    private final ToolManifest manifest;
    private final Lazy<ToolContract> contract;
    private final Lazy<Fingerprint> fingerprint;
    private final ToolCodec codec;
    private final RecordedCall.@Nullable Reconciler reconciler;
    private final RecordedCall.@Nullable CancelCallback onCancel;
    private final RecordedCall.@Nullable Preview preview;
    private final BodyNeeds needs;

    private ToolDefinition(ToolManifest manifest, Lazy<ToolContract> contract, ToolCodec codec,
            RecordedCall.@Nullable Reconciler reconciler, RecordedCall.@Nullable CancelCallback onCancel,
            RecordedCall.@Nullable Preview preview, BodyNeeds needs) {
        this.manifest = manifest;
        this.contract = contract;
        this.fingerprint = new Lazy<>(() -> Fingerprint.of(manifest, contract.get()));
        this.codec = codec;
        this.reconciler = reconciler;
        this.onCancel = onCancel;
        this.preview = preview;
        this.needs = needs;
    }

    static ToolDefinition of(ToolManifest manifest, Supplier<ToolContract> contract,
            ToolCodec codec) {
        return new ToolDefinition(manifest, new Lazy<>(contract), codec, null, null, null, BodyNeeds.NOTHING);
    }

    /**
     * A tool that a class or method declares; only core reads declarations.
     *
     * @param undescribed whether it may go without a description
     */
    public static ToolDefinition declared(ManifestDraft draft, TypedDeclaration declaration,
            boolean undescribed,
            BodyNeeds needs) {
        ToolManifest manifest = draft.build();
        if (!undescribed) {
            ProcessorNotice.demandDescription(manifest, declaration);
            draft.described(ManifestDraft.WRITE_IT);
        }
        return new ToolDefinition(manifest, new Lazy<>(declaration::contract), declaration.codec(), null,
                null, null,
                needs).checked();
    }

    /**
     * A tool with Java types on both sides; both schemas are derived from them.
     *
     * @param input a record or sealed interface; bodies get an instance
     * @param output what bodies return; {@link Void} for nothing
     * @param name what the model says
     * @param description what it does, for the model
     */
    public static ToolDefinition typed(Class<?> input, Class<?> output, String name, String description) {
        return typed(input, ReflectedType.of(output, ReflectedType.Descriptions.NONE), name, description);
    }

    /** The same for an output type with type arguments: <code>new TypeRef&lt;List&lt;Order&gt;&gt;() {}</code>. */
    public static ToolDefinition typed(Class<?> input, TypeRef<?> output, String name, String description) {
        return typed(input, ReflectedType.of(output.annotatedType(), ReflectedType.Descriptions.NONE), name,
                description);
    }

    private static ToolDefinition typed(Class<?> input, TypeView output, String name, String description) {
        TypedDeclaration declaration = TypedDeclaration.of(input, output);
        return of(new ManifestDraft(name, description).described(ManifestDraft.PASS_IT).build(),
                declaration::contract, declaration.codec());
    }

    /** A tool with JSON on both sides; bodies get JSON. The root of the input schema must be an object. */
    public static ToolDefinition raw(String name, String description, Json inputSchema, Json outputSchema) {
        return raw(name, description,
                new ToolContract(JsonSchema.of(inputSchema), JsonSchema.of(outputSchema)));
    }

    /** A tool with JSON on both sides that promises nothing about what bodies return. */
    public static ToolDefinition raw(String name, String description, Json inputSchema) {
        return raw(name, description, new ToolContract(JsonSchema.of(inputSchema), null));
    }

    /** A tool with JSON on both sides whose schemas are compiled, perhaps by the rules of another draft. */
    public static ToolDefinition raw(String name, String description, ToolContract contract) {
        new ManifestDraft(name, description).described(ManifestDraft.PASS_IT);
        return foreign(name, description, contract);
    }

    /**
     * The same for a tool from elsewhere, such as another server's, whose description may be empty.
     * {@link JsonSchema#of(Json, dev.belay.schema.Draft)} compiles schemas by the draft of their source.
     */
    public static ToolDefinition foreign(String name, String description, ToolContract contract) {
        RawContract.check(contract);
        return of(new ManifestDraft(name, description).build(), () -> contract, ToolCodec.RAW);
    }

    /** A tool with JSON on both sides whose contract is asked for when it is needed, and again after the supplier has thrown. */
    public static ToolDefinition raw(ToolManifest manifest, Supplier<ToolContract> contract) {
        return of(manifest, contract, ToolCodec.RAW);
    }

    /** The tool that a record, enum or sealed interface declares. */
    public static ToolDefinition of(Class<? extends ToolInput<?>> tool) {
        return DeclaredTools.definition(tool);
    }

    /** The tools that a sealed interface marked {@link Tools} declares itself, in order; nested sets apart. */
    public static List<ToolDefinition> allOf(Class<?> set) {
        return DeclaredTools.definitions(set);
    }

    /** The authority's name. */
    public ToolId id() {
        return manifest.id();
    }

    /** What the model says. */
    public String name() {
        return manifest.name();
    }

    /** Everything but the schemas. */
    public ToolManifest manifest() {
        return manifest;
    }

    /** The schemas; made at the first call. */
    public ToolContract contract() {
        return contract.get();
    }

    /** The hash of its meaning; made at the first call. */
    public Fingerprint fingerprint() {
        return fingerprint.get();
    }

    /** What a model request carries. */
    public ToolSpec spec() {
        return new ToolSpec(manifest.name(), manifest.description(), contract().input().json());
    }

    /** Finds out about calls in doubt. */
    public Optional<RecordedCall.Reconciler> reconciler() {
        return Optional.ofNullable(reconciler);
    }

    /** Stops work outside. */
    public Optional<RecordedCall.CancelCallback> onCancel() {
        return Optional.ofNullable(onCancel);
    }

    /** Says what a call would do. */
    public Optional<RecordedCall.Preview> preview() {
        return Optional.ofNullable(preview);
    }

    /** Types of values that a call needs from the host and that its provider does not supply. */
    public List<Class<?>> hostValues() {
        return needs.hostValues();
    }

    /** Types of contexts that the body asks for and that only a session of the runtime has. */
    public List<Class<?>> runtimeContexts() {
        return needs.runtimeContexts();
    }

    /** The same tool with another contract, which is asked for when it is needed. */
    public ToolDefinition contract(Supplier<ToolContract> other) {
        return new ToolDefinition(manifest, new Lazy<>(other), codec, reconciler, onCancel, preview, needs);
    }

    private ToolDefinition checked() {
        InputChecks.check(manifest, contract);
        return this;
    }

    /** With a body that asks for contexts which only a session of the runtime has; elsewhere the tool is not offered. */
    public ToolDefinition contexts(List<Class<?>> types) {
        return new ToolDefinition(manifest, contract, codec, reconciler, onCancel, preview,
                needs.plus(types));
    }

    ToolDefinition supplied(Class<?> type) {
        return new ToolDefinition(manifest, contract, codec, reconciler, onCancel, preview,
                needs.without(type));
    }

    /** Reads the text that a model sent: decodes it, validates it, and makes the object that the body gets. */
    public Arguments arguments(String text) {
        return Arguments.read(this, text);
    }

    /** The arguments that an input object of this tool stands for, validated; {@code wrong_input} if it is none. */
    public Json encode(Object input) {
        try {
            return codec.writeInput(input);
        } catch (ClassCastException e) {
            throw new BelayException("wrong_input",
                    "tool " + name() + " does not take " + input.getClass().getName(), e);
        }
    }

    public ToolCodec codec() {
        return codec;
    }

    /**
     * What a body returned, as JSON that satisfies the output schema; a {@link ToolException} with
     * {@code invalid_tool_output} otherwise. JSON is taken as it is, anything else is encoded.
     */
    public Json output(@Nullable Object value) {
        try {
            return codec.output(value, contract);
        } catch (JsonMismatchException e) {
            throw invalidOutput("what its own schema does not allow: " + e.getMessage(), e);
        } catch (ClassCastException e) {
            throw invalidOutput("a value of another type than it declares", e);
        } catch (RuntimeException | StackOverflowError e) { // an accessor or a lazy list fails, or a value holds itself
            throw invalidOutput("a value that cannot be written: " + Wording.of(e), e);
        }
    }

    private ToolException invalidOutput(String what, Throwable cause) {
        return new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INTERNAL, "invalid_tool_output",
                "tool " + name() + " returned " + what), cause);
    }

    /** The same tool under another name; its id follows the name unless it was set. */
    public ToolDefinition renamed(String name) {
        var draft = new ManifestDraft(manifest, name);
        if (manifest.id().equals(ToolId.ofName(manifest.name()))) {
            draft.id = ToolId.ofName(name);
        }
        return new ToolDefinition(draft.build(), contract, codec, reconciler, onCancel, preview, needs);
    }

    /** With another id. */
    public ToolDefinition id(String id) {
        return with(draft -> draft.id = new ToolId(id));
    }

    /** With another description; {@code missing_description} if it is blank. */
    public ToolDefinition description(String text) {
        return with(draft -> {
            draft.description = text;
            draft.described(ManifestDraft.PASS_IT);
        });
    }

    /** With a name for people. */
    public ToolDefinition title(String title) {
        return with(draft -> draft.title = title);
    }

    /** With another effect. */
    public ToolDefinition effect(ToolEffect effect) {
        return with(draft -> draft.effect = effect);
    }

    /** With a body that may be entered again, or not. */
    public ToolDefinition resumable(boolean resumable) {
        return with(draft -> draft.resumable = resumable);
    }

    /** With another place in its batch. */
    public ToolDefinition scheduling(Scheduling scheduling) {
        return with(draft -> draft.scheduling = scheduling);
    }

    /** With a resource key such as <code>account:{accountId}</code>; its fields must be required scalars of the input. */
    public ToolDefinition exclusive(String template) {
        ExclusiveTemplate exclusive = ExclusiveTemplate.of(template);
        return with(draft -> draft.exclusive = exclusive).checked();
    }

    /** With other time limits. */
    public ToolDefinition timeouts(Timeouts timeouts) {
        return with(draft -> draft.timeouts = timeouts);
    }

    /** With retries; the effect must allow them. */
    public ToolDefinition retry(RetryPolicy retry) {
        return with(draft -> draft.retry = retry);
    }

    /** With leave to park, or without. */
    public ToolDefinition mayDefer(boolean mayDefer) {
        return with(draft -> draft.mayDefer = mayDefer);
    }

    /** With another rule about asking a person. */
    public ToolDefinition approval(Approval approval) {
        return with(draft -> draft.approval = approval);
    }

    /** With a budget of its own for what the model is shown. */
    public ToolDefinition budget(OutputBudget budget) {
        return with(draft -> draft.budget = budget);
    }

    /** With example arguments; {@code bad_example} if the input schema does not allow one. */
    public ToolDefinition examples(List<Json> examples) {
        return with(draft -> draft.examples = List.copyOf(examples)).checked();
    }

    /** With words for rules and searches. */
    public ToolDefinition tags(List<String> tags) {
        return with(draft -> draft.tags = List.copyOf(tags));
    }

    /** In the catalog from the start, or only when granted. */
    public ToolDefinition resident(boolean resident) {
        return with(draft -> draft.resident = resident);
    }

    /** Seen by the model, or by the host only. */
    public ToolDefinition visibility(Visibility visibility) {
        return with(draft -> draft.visibility = visibility);
    }

    /** With another author's version. */
    public ToolDefinition version(int version) {
        return with(draft -> draft.version = version);
    }

    /**
     * With a hash of what calls execute or reach: a program and its bytes, the address of a server. It is part of the fingerprint, so that
     * grants and waiting calls do not go over to another program or server.
     */
    public ToolDefinition target(String hash) {
        return with(draft -> draft.target = hash);
    }

    /** With another rule for waiting calls whose definition changed. */
    public ToolDefinition onDefinitionChanged(DefinitionChange change) {
        return with(draft -> draft.onDefinitionChanged = change);
    }

    /** With another rule for calls that may have happened. */
    public ToolDefinition onDoubt(OnDoubt onDoubt) {
        return with(draft -> draft.onDoubt = onDoubt);
    }

    /** With another rule for references in code mode. */
    public ToolDefinition argumentProjection(ArgumentProjection projection) {
        return with(draft -> draft.argumentProjection = projection);
    }

    /** With hints in MCP's words. */
    public ToolDefinition hints(BehaviorHints hints) {
        return with(draft -> draft.hints = hints);
    }

    /** With a function that finds out about calls in doubt. */
    public ToolDefinition reconciler(RecordedCall.Reconciler function) {
        return new ToolDefinition(manifest, contract, codec, function, onCancel, preview, needs);
    }

    /** With a function that stops work outside. */
    public ToolDefinition onCancel(RecordedCall.CancelCallback function) {
        return new ToolDefinition(manifest, contract, codec, reconciler, function, preview, needs);
    }

    /** With words for a person who has to approve; hidden characters in them are marked. */
    public ToolDefinition preview(RecordedCall.Preview function) {
        return new ToolDefinition(manifest, contract, codec, reconciler, onCancel,
                arguments -> Shown.text(function.of(arguments)), needs);
    }

    private ToolDefinition with(Consumer<ManifestDraft> change) {
        var draft = new ManifestDraft(manifest);
        change.accept(draft);
        return new ToolDefinition(draft.build(), contract, codec, reconciler, onCancel, preview, needs);
    }

    @Override
    public String toString() {
        return "ToolDefinition[" + manifest.id() + "]";
    }
}
