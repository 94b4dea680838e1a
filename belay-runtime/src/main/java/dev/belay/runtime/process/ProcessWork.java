package dev.belay.runtime.process;

import dev.belay.json.Json;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.Objects;

/** The work of a process. */
public sealed interface ProcessWork {

    /**
     * One call of a tool, which may be internal.
     *
     * @param name the tool
     * @param arguments of the call
     */
    record Tool(String name, Json arguments) implements ProcessWork {

        /** Refuses null. */
        public Tool {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(arguments, "arguments");
        }
    }

    /**
     * One turn of a session.
     *
     * @param session the session
     * @param text the input of the turn
     */
    record Turn(SessionId session, String text) implements ProcessWork {

        /** Refuses null. */
        public Turn {
            Objects.requireNonNull(session, "session");
            Objects.requireNonNull(text, "text");
        }

        @Override
        public String name() {
            return "turn of " + session;
        }
    }

    /**
     * One run of a {@link ProcessBody}.
     *
     * @param name of the body
     * @param input of the body
     */
    record Body(String name, Json input) implements ProcessWork {

        /** Refuses null. */
        public Body {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(input, "input");
        }
    }

    /**
     * Work that another system does and completes.
     *
     * @param name for people
     * @param input for the system that does the work
     */
    record External(String name, Json input) implements ProcessWork {

        /** Refuses null. */
        public External {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(input, "input");
        }
    }

    /**
     * Work whose record cannot be read. It does not run; an operator can abandon it.
     *
     * @param problem why the record cannot be read
     */
    record Unreadable(String problem) implements ProcessWork {

        @Override
        public String name() {
            return "unreadable";
        }
    }

    /** The name for people. */
    String name();

    /** The record of this work; pinned by a golden file. */
    default Json toJson() {
        return Json.write(out -> {
            out.beginObject();
            switch (this) {
                case Tool(String name, Json arguments) ->
                    out.name("tool").value(name).name("arguments").value(arguments);
                case Turn(SessionId session, String text) ->
                    out.name("turn").value(session.value()).name("text").value(text);
                case Body(String name, Json input) -> out.name("body").value(name).name("input").value(input);
                case External(String name, Json input) ->
                    out.name("external").value(name).name("input").value(input);
                case Unreadable(String problem) -> throw new IllegalStateException(problem);
            }
            out.endObject();
        });
    }

    /** Reads the form of {@link #toJson}; {@code journal_corrupt} if it has another form. */
    static ProcessWork of(Json recorded) {
        return RecordReader.read("work of a process", recorded, () -> {
            String kind = recorded.fields().keySet().iterator().next();
            String name = RecordReader.text(recorded, kind);
            return switch (kind) {
                case "tool" -> new Tool(name, RecordReader.field(recorded, "arguments"));
                case "turn" -> new Turn(new SessionId(name), RecordReader.text(recorded, "text"));
                case "body" -> new Body(name, RecordReader.field(recorded, "input"));
                case "external" -> new External(name, RecordReader.field(recorded, "input"));
                default -> throw new IllegalArgumentException("unknown work " + kind);
            };
        });
    }
}
