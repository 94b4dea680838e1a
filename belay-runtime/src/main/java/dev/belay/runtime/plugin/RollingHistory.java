package dev.belay.runtime.plugin;

import dev.belay.BelayException;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.ModelException;
import dev.belay.model.Part.ReplyPart;
import dev.belay.runtime.plugin.HistoryHook.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps conversations within the context of their model, in steps: old tool outputs shrink to their heads, then whole rounds, the oldest
 * first, are summarised by a model. If the model does not answer, they are cut. The rounds of the running turn are last. Part of
 * {@link PluginStack#runtime}; asked after all other compactors.
 */
public final class RollingHistory implements PluginFactory {

    /** Its id. */
    public static final String ID = "rolling-history";

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.history");

    private final Config config;

    /**
     * How it works.
     *
     * @param head how many characters stay of an old tool output
     * @param model the name of the model that summarises; null for the one that answers the session
     * @param summaries whether a model is asked at all; otherwise rounds are cut
     * @param summaryTokens how long a summary may be at most
     * @param patience how long a whole compaction may take
     */
    public record Config(int head, @Nullable String model, boolean summaries, int summaryTokens,
            Duration patience) {

        /** Heads of 400 characters, summaries of up to 1,000 tokens by the session's model, two minutes. */
        public static final Config DEFAULT = new Config(400, null, true, 1_000, Duration.ofMinutes(2));

        /** Refuses what is not positive. */
        public Config {
            if (head < 0 || summaryTokens < 1 || !patience.isPositive()) {
                throw new IllegalArgumentException(
                        "a head has at least 0 characters, a summary at least 1 token,"
                                + " and patience is positive; found " + head + ", " + summaryTokens + ", "
                                + patience);
            }
        }

        /** The same with heads of another length. */
        public Config withHead(int characters) {
            return new Config(characters, model, summaries, summaryTokens, patience);
        }

        /** The same with another model that summarises. */
        public Config withModel(String name) {
            return new Config(head, Objects.requireNonNull(name, "name"), summaries, summaryTokens, patience);
        }

        /** The same without summaries. */
        public Config withoutSummaries() {
            return new Config(head, model, false, summaryTokens, patience);
        }

        /** The same with summaries of another length. */
        public Config withSummaryTokens(int most) {
            return new Config(head, model, summaries, most, patience);
        }

        /** The same with other patience. */
        public Config withPatience(Duration most) {
            return new Config(head, model, summaries, summaryTokens, most);
        }
    }

    /** With {@link Config#DEFAULT}. */
    public RollingHistory() {
        this(Config.DEFAULT);
    }

    /** Works as configured. */
    public RollingHistory(Config config) {
        this.config = config;
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public SessionPlugin build(PluginSession session) {
        return on -> on.history().compactor(new HistoryHook.Compactor() {
            @Override
            public Optional<List<Message>> compact(Request request) {
                return Optional.of(new Step(request).done());
            }

            @Override
            public int priority() {
                return Integer.MAX_VALUE;
            }

            @Override
            public Duration patience() {
                return config.patience();
            }
        });
    }

    /** One compaction. Confined to its thread. */
    private final class Step {

        private final Request request;
        private final List<Message> messages;
        private final long room;
        private int running;
        private long total;
        private final List<Message> dropped = new ArrayList<>();

        Step(Request request) {
            this.request = request;
            messages = new ArrayList<>(request.messages());
            running = request.running();
            total = messages.stream().mapToLong(request::tokens).sum();
            room = Math.min(config.summaryTokens(), Math.max(20, request.target() / 5));
        }

        List<Message> done() {
            leaveOutHugeInputs();
            shorten(0, running);
            if (total > request.target()) {
                drop(0, running);
            }
            if (total + kept() > request.target()) {
                int last = lastRound();
                shorten(running, last);
                if (total + kept() > request.target()) {
                    drop(running, last);
                }
                if (total + kept() > request.target()) {
                    shortenLast();
                }
            }
            if (!dropped.isEmpty()) {
                messages.addFirst(Message.user(summary()));
            }
            return messages;
        }

        /** What the text in place of dropped messages may take. */
        private long kept() {
            return dropped.isEmpty() ? 0 : room;
        }

        private void set(int at, Message next) {
            total += request.tokens(next) - request.tokens(messages.get(at));
            messages.set(at, next);
        }

        /** An input that was never answered because it is longer than the context takes its whole turn with it. */
        private void leaveOutHugeInputs() {
            for (int at = 0; at < running; at++) {
                boolean unanswered = at + 1 >= messages.size()
                        || messages.get(at + 1) instanceof UserMessage;
                if (messages.get(at) instanceof UserMessage said && unanswered
                        && request.tokens(said) > request.target()) {
                    set(at, Message.user("[An input of " + said.text().length()
                            + " characters was left out here: it is longer than the context.]"));
                }
            }
        }

        /** Shrinks tool outputs to their heads, the oldest first, until the rest fits. */
        private void shorten(int from, int to) {
            for (int at = from; at < to && total + kept() > request.target(); at++) {
                if (messages.get(at) instanceof ToolMessage replies) {
                    set(at, shortened(replies, config.head()));
                }
            }
        }

        /** The outputs that the model has not read yet: their heads are as long as fits. */
        private void shortenLast() {
            for (int at = messages.size() - 1; at >= running; at--) {
                if (messages.get(at) instanceof ToolMessage replies) {
                    long others = total + kept() - request.tokens(replies);
                    long each = (request.target() - others) * 2 / replies.replies().size(); // two characters a token, for any script
                    set(at, shortened(replies, Math.clamp(each, config.head(), Integer.MAX_VALUE)));
                    return;
                }
            }
        }

        /** Drops whole rounds, the oldest first, until the rest fits; in the running turn not what the user has said. */
        private void drop(int from, int to) {
            int end = from;
            long left = total;
            while (end < to && (end == from || left + room > request.target() || !isBoundary(end))) {
                left -= goes(end, from) ? request.tokens(messages.get(end)) : 0;
                end++;
            }
            List<Message> stay = new ArrayList<>();
            for (Message one : messages.subList(from, end)) {
                if ((from == 0 && running > 0) || !(one instanceof UserMessage)) {
                    dropped.add(one);
                } else {
                    stay.add(one);
                }
            }
            int gone = end - from - stay.size();
            messages.subList(from, end).clear();
            messages.addAll(from, stay);
            total = left;
            running -= from < running ? gone : 0;
        }

        private boolean goes(int at, int from) {
            return (from == 0 && running > 0) || !(messages.get(at) instanceof UserMessage);
        }

        /** Whether no round is torn from its question or its replies before a message. */
        private boolean isBoundary(int at) {
            Message next = messages.get(at);
            boolean answers = next instanceof AssistantMessage && at > 0
                    && messages.get(at - 1) instanceof UserMessage;
            return !(next instanceof ToolMessage) && !answers;
        }

        /** The place of the last round of the running turn, which stays. */
        private int lastRound() {
            for (int at = messages.size() - 1; at >= running; at--) {
                if (messages.get(at) instanceof AssistantMessage) {
                    return at;
                }
            }
            return running;
        }

        private String summary() {
            String left = "[" + dropped.size() + " earlier messages of this conversation were left out.]";
            if (!config.summaries()) {
                return left;
            }
            String model = config.model() == null ? request.model() : config.model();
            try {
                String text = new Summary(request, model, room).of(dropped);
                return "[Summary of " + dropped.size() + " earlier messages of this conversation, by model "
                        + model + ":]\n" + text;
            } catch (BelayException e) {
                LOG.warn("Messages of session {} are cut instead of summarised: model {} gave no summary: {}",
                        request.session(), model, e.getMessage());
                return left;
            }
        }
    }

    private static ToolMessage shortened(ToolMessage message, int head) {
        return new ToolMessage(message.replies()
                .stream()
                .map(reply -> new ReplyPart(reply.callId(), reply.toolName(), reply.status(),
                        shortened(reply.text(), head)))
                .toList());
    }

    private static String shortened(String text, int head) {
        String mark = "\n[The rest of this old output was left out: ";
        if (text.length() <= head + mark.length() + 40) {
            return text;
        }
        int end = head > 0 && Character.isHighSurrogate(text.charAt(head - 1)) ? head - 1 : head;
        return text.substring(0, end) + mark + (text.length() - end) + " characters.]";
    }

    /**
     * Asks a model for a summary, part by part if the text does not fit into one question.
     *
     * @param request whose context the model is taken to have
     * @param model which
     * @param most how many tokens a summary may have
     */
    private record Summary(Request request, String model, long most) {

        private static final String TASK = "Summarise a conversation between a user and an assistant that works with tools, for the assistant, which"
                + " will not see it again. Keep what was asked, decided and found, names, numbers, paths and what is still to be done."
                + " Answer with the summary alone.";
        /** So much of one message is read at most: the summary of a summary of a long text says nothing. */
        private static final int MOST_OF_ONE = 8_000;

        String of(List<Message> messages) {
            long part = Math.max(200, request.limit() / 2 - most);
            String soFar = "";
            var text = new StringBuilder();
            long used = 0;
            for (Message message : messages) {
                String whole = line(message);
                String line = whole.length() <= part ? whole : clip(whole, (int) part); // a token has a character at least
                long takes = tokens(line);
                if (used > 0 && used + takes > part) {
                    soFar = ask(soFar, text.toString());
                    text.setLength(0);
                    used = 0;
                }
                text.append(line).append("\n\n");
                used += takes;
            }
            return ask(soFar, text.toString());
        }

        private long tokens(String text) {
            return request.tokens(Message.user(text));
        }

        private String ask(String soFar, String text) {
            String before = soFar.isEmpty() ? "" : "Summary of what came before:\n" + soFar + "\n\n";
            String answer = request.ask(model,
                    List.of(Message.system(TASK), Message.user(before + "Conversation:\n" + text)),
                    (int) most).strip();
            if (answer.isEmpty()) {
                throw new ModelException(ModelException.Kind.PROTOCOL, "the summary is empty");
            }
            return fitting(answer);
        }

        /** A model may say more than it was asked for. */
        private String fitting(String answer) {
            String kept = answer;
            while (tokens(kept) > most && kept.length() > 1) {
                kept = clip(kept, Math.max(1, kept.length() * 3 / 4));
            }
            return kept;
        }

        private static String line(Message message) {
            return switch (message) {
                case Message.SystemMessage system -> "";
                case UserMessage user -> "User: " + clipped(user.text());
                case AssistantMessage assistant -> {
                    var line = new StringBuilder("Assistant: ").append(clipped(assistant.text()));
                    assistant.calls()
                            .forEach(call -> line.append("\nAssistant calls ")
                                    .append(call.name())
                                    .append(' ')
                                    .append(clipped(call.arguments())));
                    yield line.toString();
                }
                case ToolMessage tools -> {
                    var line = new StringBuilder();
                    tools.replies()
                            .forEach(reply -> line.append(line.isEmpty() ? "" : "\n")
                                    .append("Result of ")
                                    .append(reply.toolName())
                                    .append(": ")
                                    .append(clipped(reply.text())));
                    yield line.toString();
                }
            };
        }

        private static String clipped(String text) {
            return text.length() <= MOST_OF_ONE ? text : clip(text, MOST_OF_ONE) + " […]";
        }

        private static String clip(String text, int length) {
            return text.substring(0,
                    Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
        }
    }
}
