package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;

/** The scope of a process: how it is named and what it starts from. Its form is pinned by golden files. */
public final class ProcessScope {

    /** The kind of its input. */
    public static final String KIND = "process/1";

    private static final String PREFIX = "process/";

    private ProcessScope() {}

    /** The scope of a process. */
    public static ScopeId id(ProcessId process) {
        return new ScopeId(PREFIX + process);
    }

    /** Whether a scope is that of a process, or a child of one. */
    public static boolean isProcess(ScopeId scope) {
        return scope.value().startsWith(PREFIX);
    }

    /** What a process starts from. */
    public static ScopeInput input(NewProcess process) {
        return new ScopeInput(KIND, Json.write(out -> {
            out.beginObject().name("v").value(1);
            out.name("process").value(process.id().value());
            out.name("incarnation").value(process.incarnation().toString());
            out.name("start").value(process.content()).endObject();
        }));
    }
}
