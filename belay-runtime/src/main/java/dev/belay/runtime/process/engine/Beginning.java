package dev.belay.runtime.process.engine;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.process.Recovery;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.context.Incarnation;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a process, as the input of its scope records it. Its form is pinned by golden files.
 *
 * @param id the process
 * @param incarnation of its idempotency keys
 * @param work its work
 * @param agent whose tools it uses
 * @param recovery what happens if its owner dies
 * @param context of the caller that started it
 * @param by the session whose call started it, or null
 */
public record Beginning(ProcessId id, Incarnation incarnation, ProcessWork work, String agent,
        Recovery recovery, Map<String, String> context, @Nullable StartedBy by) {

    private static final String CONTEXT = "context";
    private static final String BY = "by";

    /** Reads the input of a process scope; {@code journal_corrupt} if it has another form. */
    public static Beginning of(ScopeInput input) {
        Json recorded = input.value();
        return RecordReader.read("beginning of a process", recorded, () -> {
            Json start = RecordReader.field(recorded, "start");
            return new Beginning(new ProcessId(RecordReader.text(recorded, "process")),
                    Incarnation.parse(RecordReader.text(recorded, "incarnation")),
                    ProcessWork.of(RecordReader.field(start, "work")),
                    Objects.requireNonNullElse(RecordReader.optionalText(start, TurnScope.AGENT),
                            SessionProfile.DEFAULT_AGENT),
                    Recovery.valueOf(RecordReader.text(start, "recovery")), context(start),
                    start.get(BY).map(StartedBy::of).orElse(null));
        });
    }

    private static Map<String, String> context(Json start) {
        Map<String, String> context = new TreeMap<>();
        start.get(CONTEXT)
                .ifPresent(kept -> kept.fields().forEach((name, text) -> context.put(name, text.asString())));
        return context;
    }

    /** The record of a start with the context of the caller and its session, which are no part of what is started. */
    static Json content(Json start, Map<String, String> context, @Nullable StartedBy by) {
        if (context.isEmpty() && by == null) {
            return start;
        }
        return Json.write(out -> {
            out.beginObject();
            start.fields().forEach((name, value) -> out.name(name).value(value));
            if (!context.isEmpty()) {
                out.name(CONTEXT).beginObject();
                new TreeMap<>(context).forEach((name, text) -> out.name(name).value(text, RecordReader.HALF));
                out.endObject();
            }
            if (by != null) {
                out.name(BY).value(by.toJson());
            }
            out.endObject();
        });
    }

    /** The record of a start, which the store puts into the input; {@code resource_limit} if it is too large. */
    public static Json content(ProcessStart start) {
        return ProcessJson.bounded("the start of a process", Json.write(out -> {
            out.beginObject().name("recovery").value(start.recovery().name());
            String agent = start.agent();
            if (agent != null && !agent.equals(SessionProfile.DEFAULT_AGENT)) {
                out.name(TurnScope.AGENT).value(agent);
            }
            out.name("work").value(start.work().toJson()).endObject();
        }));
    }

    /** Identifies the record of a start. */
    public static String hash(Json content) {
        return new FramedHash().add(content).hex();
    }

    boolean isOnce() {
        return recovery == Recovery.NEVER;
    }
}
