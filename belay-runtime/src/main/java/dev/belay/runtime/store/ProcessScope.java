package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;

/** The scope of a process: how it is named and what it starts from. Its form is pinned by golden files. */
public final class ProcessScope {

    /** The kind of its input; a slash and the name of a body, or an {@code @} and the name of an agent, narrow it. */
    public static final String KIND = "process/1";

    private static final String PREFIX = "process/";

    private ProcessScope() {}

    /** The scope of a process. */
    public static ScopeId id(ProcessId process) {
        return new ScopeId(PREFIX + process);
    }

    /** The kind of processes that run a body, by its name: only a program that has it can run them. */
    public static String bodyKind(String name) {
        return KIND + "/" + name;
    }

    /** The kind of processes that use the tools of an agent. */
    public static String agentKind(String agent) {
        return agent.equals(SessionProfile.DEFAULT_AGENT) ? KIND : KIND + "/@" + agent;
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

    /** What a process starts from. */
    public static ScopeInput input(NewProcess process) {
        String kind = process.content()
                .get("work")
                .flatMap(work -> work.get("body"))
                .filter(name -> name.kind() == Json.Kind.STRING)
                .map(name -> bodyKind(name.asString()))
                .orElseGet(() -> process.content()
                        .get(TurnScope.AGENT)
                        .map(agent -> agentKind(agent.asString()))
                        .orElse(KIND));
        return new ScopeInput(kind, Json.write(out -> {
            out.beginObject().name("v").value(1);
            out.name("process").value(process.id().value());
            out.name("incarnation").value(process.incarnation().toString());
            out.name("start").value(process.content()).endObject();
        }));
    }
}
