package dev.belay.model;

import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import dev.belay.schema.Wording;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One message of a conversation, in no provider's dialect. Immutable; equal if the content is equal. */
public sealed interface Message {

    /** Instructs the model. */
    static SystemMessage system(String text) {
        return new SystemMessage(text);
    }

    /** Says a text to the model. */
    static UserMessage user(String text) {
        return new UserMessage(List.of(new TextPart(text)));
    }

    /** Says text, pictures and files to the model. */
    static UserMessage user(UserPart... parts) {
        return new UserMessage(List.of(parts));
    }

    /** A message of the model without a native payload; empty text makes no part. */
    static AssistantMessage assistant(String text) {
        return new AssistantMessage(text.isEmpty() ? List.of() : List.of(new TextPart(text)), null);
    }

    /** Stands for something the model said, without a provider's own form. */
    static AssistantMessage assistant(AssistantPart... parts) {
        return new AssistantMessage(List.of(parts), null);
    }

    /** Answers the calls of the assistant message before. */
    static ToolMessage replies(ReplyPart... replies) {
        return new ToolMessage(List.of(replies));
    }

    /**
     * Instructions of the application.
     *
     * @param text not empty
     */
    record SystemMessage(String text) implements Message {

        /** Refuses empty text. */
        public SystemMessage {
            if (text.isEmpty()) {
                throw new IllegalArgumentException("the text of a system message must not be empty");
            }
        }
    }

    /**
     * What the user said.
     *
     * @param parts at least one
     */
    record UserMessage(List<UserPart> parts) implements Message {

        /** Copies the parts. */
        public UserMessage {
            parts = List.copyOf(parts);
            if (parts.isEmpty()) {
                throw new IllegalArgumentException("a user message needs at least one part");
            }
        }

        /** All its text, without separators. */
        public String text() {
            return joined(parts, part -> part instanceof TextPart(String text) ? text : "");
        }
    }

    /**
     * What the model said. The parts have one canonical form: neighbours of one kind (text, reasoning, refusal) are one
     * part, and calls stand last in the model's order, because streams of calls and of content have no order between each
     * other. A provider that cares for more keeps it in its {@link NativePayload}.
     *
     * @param parts in canonical form, whatever was given; none at all if the model said nothing
     * @param nativePayload the provider's own form, or null
     */
    record AssistantMessage(List<AssistantPart> parts,
            @Nullable NativePayload nativePayload) implements Message {

        /** Copies the parts in canonical form. */
        public AssistantMessage {
            parts = canonical(parts);
        }

        /** Creates one without a provider's own form. */
        public AssistantMessage(List<AssistantPart> parts) {
            this(parts, null);
        }

        /** All its text, without separators; empty if there is none. */
        public String text() {
            return joined(parts, part -> part instanceof TextPart(String text) ? text : "");
        }

        /** All its reasoning, without separators; empty if there is none. */
        public String reasoning() {
            return joined(parts, part -> part instanceof ReasoningPart(String text) ? text : "");
        }

        /** Why the model did not answer, if it said so. */
        public Optional<String> refusal() {
            String text = joined(parts, part -> part instanceof RefusalPart(String words) ? words : "");
            return text.isEmpty() ? Optional.empty() : Optional.of(text);
        }

        /** The calls in the model's order. */
        @SuppressWarnings("unchecked") // calls stand last, and a view of parts that are all calls is a list of calls
        public List<CallPart> calls() {
            int first = parts.size();
            while (first > 0 && parts.get(first - 1) instanceof CallPart) {
                first--;
            }
            if (first == parts.size()) {
                return List.of();
            }
            return (List<CallPart>) (List<?>) (first == 0 ? parts : parts.subList(first, parts.size()));
        }

        /** This message with the reason as its refusal if it has no text: no provider accepts an empty message in a history. */
        public AssistantMessage declining(String reason) {
            if (refusal().isPresent() || !text().isEmpty()) {
                return this;
            }
            List<AssistantPart> worded = new ArrayList<>(parts);
            worded.add(new RefusalPart(reason));
            return new AssistantMessage(worded, nativePayload);
        }

        /**
         * Gives every call an id of its own, as {@link ModelRequest} demands: an id that is missing, was used by an earlier
         * call of this message, is longer than 100 characters or has others than visible ASCII becomes {@code call_<round>_<index>}, the index counting calls from 0. The provider's own
         * ids stay in the native payload.
         *
         * @param round the number of the round this message opens
         * @return this message if nothing had to change
         */
        public AssistantMessage withCallIds(int round) {
            if (haveOwnIds(calls())) {
                return this;
            }
            Set<String> used = new HashSet<>();
            List<AssistantPart> named = new ArrayList<>(parts.size());
            int index = 0;
            for (AssistantPart part : parts) {
                if (part instanceof CallPart call) {
                    String id = call.id();
                    for (int n = 0; !Wording.isPlain(id) || !used.add(id); n++) {
                        id = "call_" + round + "_" + index + (n == 0 ? "" : "_" + n);
                    }
                    named.add(new CallPart(id, call.name(), call.arguments()));
                    index++;
                } else {
                    named.add(part);
                }
            }
            return new AssistantMessage(named, nativePayload);
        }

        private static boolean haveOwnIds(List<CallPart> calls) {
            if (calls.size() == 1) {
                return Wording.isPlain(calls.getFirst().id());
            }
            Set<String> used = HashSet.newHashSet(calls.size());
            for (CallPart call : calls) {
                if (!Wording.isPlain(call.id()) || !used.add(call.id())) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * Replies to the calls of the assistant message directly before.
     *
     * @param replies at least one
     */
    record ToolMessage(List<ReplyPart> replies) implements Message {

        /** Copies the replies. */
        public ToolMessage {
            replies = List.copyOf(replies);
            if (replies.isEmpty()) {
                throw new IllegalArgumentException("a tool message needs at least one reply");
            }
        }
    }

    /** The texts of some parts; most messages have one, which is not copied. */
    private static <P> String joined(List<P> parts, Function<? super P, String> text) {
        String first = "";
        StringBuilder all = null;
        for (P part : parts) {
            String next = text.apply(part);
            if (all != null) {
                all.append(next);
            } else if (first.isEmpty()) {
                first = next;
            } else if (!next.isEmpty()) {
                all = new StringBuilder(first).append(next);
            }
        }
        return all == null ? first : all.toString();
    }

    private static List<AssistantPart> canonical(List<AssistantPart> parts) {
        List<AssistantPart> content = new ArrayList<>();
        List<AssistantPart> calls = new ArrayList<>();
        for (AssistantPart part : parts) {
            Objects.requireNonNull(part, "part");
            if (part instanceof CallPart) {
                calls.add(part);
                continue;
            }
            AssistantPart joined = content.isEmpty() ? null : joined(content.getLast(), part);
            if (joined == null) {
                content.add(part);
            } else {
                content.set(content.size() - 1, joined);
            }
        }
        content.addAll(calls);
        return List.copyOf(content);
    }

    private static @Nullable AssistantPart joined(AssistantPart first, AssistantPart next) {
        if (first instanceof TextPart(String a) && next instanceof TextPart(String b)) {
            return new TextPart(a + b);
        }
        if (first instanceof ReasoningPart(String a) && next instanceof ReasoningPart(String b)) {
            return new ReasoningPart(a + b);
        }
        if (first instanceof RefusalPart(String a) && next instanceof RefusalPart(String b)) {
            return new RefusalPart(a + b);
        }
        return null;
    }
}
