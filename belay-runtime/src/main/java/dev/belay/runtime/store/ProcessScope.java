package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The scope of a process: how it is named and what it starts from. Its form is pinned by golden files. */
public final class ProcessScope {

    /** The kind of its input; a slash and the name of a body, or an {@code @} and the name of an agent, narrow it. */
    public static final String KIND = "process/1";

    private static final String PREFIX = "process/";
    /** Stands before the scopes of all processes in the order of names. */
    public static final ScopeId BEFORE_ALL = new ScopeId(PREFIX);

    private static final String OF_AGENT = "/@";

    private ProcessScope() {}

    /** The scope of a process. */
    public static ScopeId id(ProcessId process) {
        return new ScopeId(PREFIX + process);
    }

    /** The kind of processes that run a body, by its name: only a program that has it can run them. */
    public static String bodyKind(String name) {
        return KIND + "/" + name;
    }

    /** The kind of processes that call a tool of an agent: only a program that defines the agent can run them. */
    public static String agentKind(String agent) {
        return KIND + OF_AGENT + agent;
    }

    private static String agentKind(Json content) {
        boolean callsTool = content.get("work").flatMap(work -> work.get("tool")).isPresent();
        return callsTool
                ? agentKind(
                        content.get(TurnScope.AGENT).map(Json::asString).orElse(SessionProfile.DEFAULT_AGENT))
                : KIND;
    }

    /** The agent whose tools processes of a kind use; empty if they need none. */
    public static Optional<String> agent(String kind) {
        return kind.startsWith(KIND + OF_AGENT)
                ? Optional.of(kind.substring((KIND + OF_AGENT).length()))
                : Optional.empty();
    }

    /** Whether scopes of a kind are processes. */
    public static boolean isProcess(String kind) {
        return kind.equals(KIND) || kind.startsWith(KIND + "/");
    }

    /** The process of a scope. */
    public static ProcessId process(ScopeId scope) {
        return new ProcessId(scope.value().substring(PREFIX.length()));
    }

    /** Whether a scope is that of a process, or a child of one. */
    public static boolean isProcess(ScopeId scope) {
        return scope.value().startsWith(PREFIX);
    }

    /** The session whose call started a process, and the sessions above it; empty if no call did, and for other scopes. */
    public static List<String> startedBy(ScopeInput scope) {
        return !isProcess(scope.kind())
                ? List.of()
                : RecordReader.read("beginning of a process", scope.value(),
                        () -> scope.value()
                                .get("start")
                                .flatMap(start -> start.get("by"))
                                .map(by -> Stream
                                        .concat(Stream.of(by), RecordReader.items(by, "above").stream())
                                        .map(session -> RecordReader.text(session, "session"))
                                        .toList())
                                .orElse(List.of()));
    }

    /** The session of the turn that a process is. */
    public static SessionId turn(ScopeInput scope) {
        return RecordReader.read("beginning of a process", scope.value(),
                () -> new SessionId(RecordReader.text(RecordReader
                        .field(RecordReader.field(scope.value(), "start"), "work"), "turn")));
    }

    /** What a process starts from. */
    public static ScopeInput input(NewProcess process) {
        String kind = process.content()
                .get("work")
                .flatMap(work -> work.get("body"))
                .filter(name -> name.kind() == Json.Kind.STRING)
                .map(name -> bodyKind(name.asString()))
                .orElseGet(() -> agentKind(process.content()));
        return new ScopeInput(kind, Json.write(out -> {
            out.beginObject().name("v").value(1);
            out.name("process").value(process.id().value());
            out.name("incarnation").value(process.incarnation().toString());
            out.name("start").value(process.content()).endObject();
        }));
    }
}
