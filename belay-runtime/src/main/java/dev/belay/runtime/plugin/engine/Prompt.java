package dev.belay.runtime.plugin.engine;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.MessageLog;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.output.engine.OutputText;
import dev.belay.runtime.plugin.Contribution;
import dev.belay.runtime.plugin.Slot;
import dev.belay.runtime.plugin.engine.SessionPlugins.Of;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What plugins have put around one question, as it is recorded with the round.
 *
 * @param system the text in front of the conversation, instructions included; empty for none
 * @param last the text behind it; empty for none
 * @param failed contributions that were left out, with the reason
 */
public record Prompt(String system, String last, List<String> failed) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.plugin");
    private static final int MOST = 64 << 10;
    private static final Comparator<Of<Contribution>> ORDER = Comparator
            .<Of<Contribution>, Slot>comparing(one -> one.value().slot())
            .thenComparingInt(one -> one.value().priority());

    /** Copies the list. */
    public Prompt {
        failed = List.copyOf(failed);
    }

    /**
     * Asks all contributions of a session.
     *
     * @param instructions of agent, session or turn
     * @param view what they read
     * @param offered whether a tool of this name is offered
     * @return null if no plugin contributes
     */
    public static @Nullable Prompt of(SessionPlugins plugins, String instructions, StateView view,
            Predicate<String> offered, TimeSource time) {
        if (plugins.prompt.isEmpty()) {
            return null;
        }
        List<Of<Contribution>> wanted = new ArrayList<>(plugins.prompt);
        wanted.removeIf(one -> one.value().tool() != null && !offered.test(one.value().tool()));
        wanted.sort(ORDER);
        var asked = new Asked(wanted, view);
        while (asked.next < wanted.size()) {
            try {
                HookThread.run(time, asked::run);
            } catch (HookThread.HookFailure failure) {
                asked.fails(failure.getMessage());
            }
        }
        return asked.prompt(instructions);
    }

    /** The contributions of one question. What a thread that was given up says later does not count. */
    private static final class Asked {

        private final List<Of<Contribution>> wanted;
        private final StateView view;
        private final String[] texts;
        private final List<String> failed = new ArrayList<>(0);
        private volatile int next;

        Asked(List<Of<Contribution>> wanted, StateView view) {
            this.wanted = wanted;
            this.view = view;
            this.texts = new String[wanted.size()];
        }

        private Boolean run(HookThread thread) {
            for (int at = next; at < texts.length; at++) {
                Of<Contribution> one = wanted.get(at);
                thread.enters(one.plugin());
                String text = Objects.requireNonNull(one.value().text().apply(view), "the text is null");
                long bytes = text.length() > MOST / 3 ? OutputText.bytes(text) : 0;
                if (bytes > MOST) {
                    throw new IllegalArgumentException(
                            "the text has " + bytes + " bytes; it may have " + MOST);
                }
                if (!thread.isOpen()) {
                    return false;
                }
                texts[at] = text.strip();
                next = at + 1;
            }
            return true;
        }

        /** The contribution that was asked last is left out. */
        void fails(@Nullable String why) {
            Of<Contribution> one = wanted.get(next);
            LOG.warn("Contribution {} of plugin {} is left out of the prompt of session {}: {}",
                    one.value().id(), one.plugin(), view.session(), why);
            failed.add(one.plugin() + "/" + one.value().id() + ": " + why);
            int failing = next;
            texts[failing] = "";
            next = failing + 1;
        }

        Prompt prompt(String instructions) {
            var system = new StringBuilder(instructions);
            var last = new StringBuilder();
            for (int i = 0; i < texts.length; i++) {
                if (!texts[i].isEmpty() && !isRepeated(i)) {
                    add(slot(i) == Slot.VOLATILE ? last : system, texts[i]);
                }
            }
            return new Prompt(system.toString(), last.toString(), failed);
        }

        private Slot slot(int at) {
            return wanted.get(at).value().slot();
        }

        private boolean isRepeated(int at) {
            for (int i = at - 1; i >= 0 && slot(i) == slot(at); i--) {
                if (texts[i].equals(texts[at])) {
                    return true;
                }
            }
            return false;
        }

        private static void add(StringBuilder into, String text) {
            into.append(into.isEmpty() ? "" : "\n\n").append(text);
        }
    }

    /** The messages with this around them. */
    public MessageLog around(MessageLog messages) {
        return messages.framed(system.isEmpty() ? null : Message.system(system),
                last.isEmpty() ? null : Message.user(last));
    }

    /**
     * Its record.
     *
     * @param before the system text of the round before, which is not repeated
     */
    public Json toJson(@Nullable String before) {
        return Json.write(out -> {
            out.beginObject();
            if (!system.equals(before)) {
                out.name("system").value(system, RecordReader.HALF);
            }
            if (!last.isEmpty()) {
                out.name("last").value(last, RecordReader.HALF);
            }
            if (!failed.isEmpty()) {
                out.name("failed").value(Json.array(failed.stream().map(Json::string).toList()));
            }
            out.endObject();
        });
    }

    /** The prompt of a record. */
    public static Prompt of(Json recorded, @Nullable String before) {
        String system = RecordReader.optionalText(recorded, "system");
        String last = RecordReader.optionalText(recorded, "last");
        return new Prompt(system == null ? Objects.requireNonNullElse(before, "") : system,
                last == null ? "" : last,
                RecordReader.items(recorded, "failed").stream().map(Json::asString).toList());
    }
}
