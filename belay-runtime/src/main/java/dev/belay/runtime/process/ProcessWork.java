package dev.belay.runtime.process;

import dev.belay.json.Json;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.Objects;

/** What a process does. */
public sealed interface ProcessWork {

    /**
     * One call of a tool, internal ones included.
     *
     * @param name the tool
     * @param arguments what it is called with
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
     * @param session which
     * @param text what is said to it
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
     * Code that the runtime was given under a name.
     *
     * @param name which
     * @param input what it starts from
     */
    record Body(String name, Json input) implements ProcessWork {

        /** Refuses null. */
        public Body {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(input, "input");
        }
    }

    /**
     * Work that is done elsewhere.
     *
     * @param name what it is called
     * @param input what whoever does it may want to know
     */
    record External(String name, Json input) implements ProcessWork {

        /** Refuses null. */
        public External {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(input, "input");
        }
    }

    /**
     * Work whose record cannot be read, by this version at least. Nobody runs it; an operator can abandon it.
     *
     * @param problem what is wrong with the record
     */
    record Unreadable(String problem) implements ProcessWork {

        @Override
        public String name() {
            return "unreadable";
        }
    }

    /** What people call it. */
    String name();

    /** The record of this; pinned by a golden file. */
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

    /** The work of a record; {@code journal_corrupt} if it is none. */
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
