package dev.belay.model;

import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.form.NamedPictures;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A request to a model. An instance can always be sent: construction refuses a history that is not well-formed
 * ({@link History}), tools of the same name and a tool choice that cannot be met, with an {@link InvalidRequestException}
 * that lists all of it. Immutable. A {@link MessageLog} is taken as it is, and only its end is checked: the cost does not grow
 * with its length.
 *
 * @param messages from the oldest on, at least one
 * @param tools what the model may call, in the order to be sent
 * @param toolChoice whether it may, must or must not
 * @param output the form of answer asked for
 * @param generation how the answer is to be made
 * @param pictures where pictures are that replies name
 */
public record ModelRequest(List<Message> messages, List<ToolSpec> tools, ToolChoice toolChoice,
        OutputSpec output,
        Generation generation, Pictures pictures) {

    /**
     * Where the bytes of pictures are that replies of tools name by reference. A model whose wire has pictures in replies asks for them when
     * it writes a request; other models show the reference, which is text. Thread-safe.
     */
    @FunctionalInterface
    public interface Pictures {

        /** So many pictures of one tool message are shown; the others stay references. */
        int MOST = 8;

        /** A picture of more bytes stays a reference: providers refuse it. */
        int LARGEST = 3_750_000;

        /** All pictures of one tool message have so many bytes at most: no provider takes requests of more than 32 MB, in Base64. */
        int MOST_BYTES = 20_000_000;

        /** No picture is anywhere. */
        Pictures NONE = (hash, mediaType, size) -> Optional.empty();

        /**
         * The bytes of a picture; empty if it is not kept where the conversation is.
         *
         * @param hash SHA-256 of the bytes, in hexadecimal digits
         * @param mediaType such as {@code image/png}
         * @param size how many bytes
         */
        Optional<byte[]> find(String hash, String mediaType, long size);
    }

    /** Copies the lists, a log apart, and checks everything. */
    public ModelRequest {
        messages = unchanging(messages);
        tools = List.copyOf(tools);
        Objects.requireNonNull(toolChoice, "toolChoice");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(generation, "generation");
        Objects.requireNonNull(pictures, "pictures");
        List<RequestProblem> problems = new ArrayList<>(0);
        problems.addAll(History.problems(messages));
        problems.addAll(toolProblems(tools, toolChoice));
        if (!problems.isEmpty()) {
            throw new InvalidRequestException(problems);
        }
    }

    /** A request whose replies show no pictures. */
    public ModelRequest(List<Message> messages, List<ToolSpec> tools, ToolChoice toolChoice,
            OutputSpec output, Generation generation) {
        this(messages, tools, toolChoice, output, generation, Pictures.NONE);
    }

    /** For each reply of a message the pictures that it names and that are found: at most {@link Pictures#MOST} together. */
    public List<List<ImagePart>> shown(ToolMessage replies) {
        return NamedPictures.of(replies, pictures);
    }

    /** Asks for free text with no tools. */
    public static ModelRequest of(Message... messages) {
        return builder(List.of(messages)).build();
    }

    /** Starts a request with these messages and every other setting at its default. */
    public static Builder builder(List<? extends Message> messages) {
        return new Builder(messages);
    }

    /** Starts a request that is like this one until changed. */
    public Builder toBuilder() {
        return new Builder(messages).tools(tools)
                .toolChoice(toolChoice)
                .output(output)
                .generation(generation)
                .pictures(pictures);
    }

    private static List<Message> unchanging(List<? extends Message> messages) {
        return messages instanceof MessageLog log ? log : List.copyOf(messages);
    }

    private static List<RequestProblem> toolProblems(List<ToolSpec> tools, ToolChoice choice) {
        if (tools.size() < 2 && choice instanceof ToolChoice.Auto) {
            return List.of();
        }
        List<RequestProblem> problems = new ArrayList<>();
        Set<String> names = HashSet.newHashSet(tools.size());
        for (int i = 0; i < tools.size(); i++) {
            if (!names.add(tools.get(i).name())) {
                problems.add(new RequestProblem(RequestProblem.DUPLICATE_TOOL, "tools[" + i + "]",
                        "another tool is named \"" + tools.get(i).name() + "\" too; names are unique"));
            }
        }
        if (choice instanceof ToolChoice.Specific(String name) && !names.contains(name)) {
            problems.add(unmet("tool \"" + name + "\" must be called but is not offered; offered are "
                    + tools.stream().map(ToolSpec::name).toList()));
        } else if (choice instanceof ToolChoice.Any && tools.isEmpty()) {
            problems.add(unmet("some tool must be called but none is offered"));
        }
        return problems;
    }

    private static RequestProblem unmet(String message) {
        return new RequestProblem(RequestProblem.INVALID_TOOL_CONSTRAINTS, "toolChoice", message);
    }

    /** Collects the settings of a request. Confined to one thread. */
    public static final class Builder {

        private final List<Message> messages;
        private List<ToolSpec> tools = List.of();
        private ToolChoice toolChoice = ToolChoice.auto();
        private OutputSpec output = OutputSpec.text();
        private Generation generation = Generation.PROVIDER_DECIDES;
        private Pictures pictures = Pictures.NONE;

        private Builder(List<? extends Message> messages) {
            this.messages = unchanging(messages);
        }

        /** Offers these tools and no others; default none. */
        public Builder tools(List<ToolSpec> offered) {
            tools = List.copyOf(offered);
            return this;
        }

        /** Says whether the model may, must or must not call; default {@link ToolChoice#auto()}. */
        public Builder toolChoice(ToolChoice choice) {
            toolChoice = choice;
            return this;
        }

        /** Asks for a form of answer; default {@link OutputSpec#text()}. */
        public Builder output(OutputSpec form) {
            output = form;
            return this;
        }

        /** Says how to make the answer; default {@link Generation#PROVIDER_DECIDES}. */
        public Builder generation(Generation settings) {
            generation = settings;
            return this;
        }

        /** Says where pictures are that replies name; default nowhere. */
        public Builder pictures(Pictures kept) {
            pictures = kept;
            return this;
        }

        /**
         * Makes the request.
         *
         * @throws InvalidRequestException with everything that is wrong
         */
        public ModelRequest build() {
            return new ModelRequest(messages, tools, toolChoice, output, generation, pictures);
        }
    }
}
