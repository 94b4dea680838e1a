package dev.belay.model;

import dev.belay.json.Json;
import dev.belay.json.RandomJson;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.FilePart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.ReplyPart.Status;
import dev.belay.model.Part.Source;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;

/** Makes messages and responses of every kind, and histories that are well-formed or nearly so. */
final class RandomMessages {

    private static final String[] PIECES = {"a", "Z", "0", " ", "\"", "\\", "/", "\n", "\r\n", "\t", "\u0000",
        "\u001f",
        "\u007f", "é", "€", "\u2028", "\uFEFF", "\uFFFF", "\uD83D\uDE00", "{}", "{\"a\":1.50}", "~", "?",
        "\u0001"};
    private static final List<Status> STATUSES = List.of(Status.values());
    private static final List<FinishReason> FINISHES = List.of(FinishReason.values());
    private static final List<String> LINKS = List.of("https://example.com/a?b=c#d", "urn:x:1",
            "file:///tmp/%20",
            "mailto:a@example.com", "https://example.com/é€", "data:,a");

    private static final String[] HALVES = {"\uD83D", "\uDE00"};

    private final Random random;
    private final boolean halves;

    RandomMessages(Random random) {
        this(random, false);
    }

    /** With {@code halves}, texts have lone surrogates here and there. */
    RandomMessages(Random random, boolean halves) {
        this.random = random;
        this.halves = halves;
    }

    Message message() {
        return switch (random.nextInt(4)) {
            case 0 -> Message.system(text());
            case 1 -> new UserMessage(several(1, 4, this::userPart));
            case 2 -> assistant();
            default -> Message.replies(several(1, 4, this::reply).toArray(ReplyPart[]::new));
        };
    }

    AssistantMessage assistant() {
        List<AssistantPart> parts = several(0, 5, this::assistantPart);
        return new AssistantMessage(parts, random.nextInt(3) == 0 ? payload() : null);
    }

    ModelResponse response() {
        return new ModelResponse(assistant(), pick(FINISHES), usage(), anyText(), anyText());
    }

    Usage usage() {
        return new Usage(tokens(), tokens(), tokens(), tokens(), tokens());
    }

    /** Mostly well-formed: now and then a reply is lost, doubled, renamed or late, a call has no id, a message is empty. */
    List<Message> history(int rounds, boolean spoiled) {
        List<Message> history = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            if (random.nextInt(3) > 0) {
                history.add(random.nextInt(5) == 0 ? Message.system(text()) : Message.user(text()));
            }
            AssistantMessage said = calling(round, random.nextInt(4));
            history.add(said);
            List<ReplyPart> replies = new ArrayList<>(said.calls()
                    .stream()
                    .map(call -> new ReplyPart(call.id(), call.name(), pick(STATUSES), anyText()))
                    .toList());
            Collections.shuffle(replies, random);
            if (!replies.isEmpty()) {
                history.add(Message.replies(replies.toArray(ReplyPart[]::new)));
            }
        }
        for (int left = spoiled ? 1 + random.nextInt(3) : 0; left > 0 && !history.isEmpty(); left--) {
            spoil(history, random.nextInt(history.size()));
        }
        return history;
    }

    private AssistantMessage calling(int round, int calls) {
        List<AssistantPart> parts = new ArrayList<>(List.of(new TextPart(text())));
        for (int i = 0; i < calls; i++) {
            parts.add(new CallPart("", pick(List.of("f", "g", "h")), anyText()));
        }
        return new AssistantMessage(parts).withCallIds(round);
    }

    private void spoil(List<Message> history, int at) {
        switch (random.nextInt(7)) {
            case 0 -> history.remove(at);
            case 1 -> history.add(at, history.get(random.nextInt(history.size())));
            case 2 -> history.add(at, Message.assistant(""));
            case 3 -> history.add(at, Message.replies(reply()));
            case 4 -> history.add(at, Message.user("again"));
            case 5 -> history.add(at, Message.assistant(new CallPart("", "f", ""), new CallPart("x", "g", ""),
                    new CallPart("x", "g", "")));
            default -> history.add(history.remove(at));
        }
    }

    private UserPart userPart() {
        return switch (random.nextInt(3)) {
            case 0 -> new TextPart(text());
            case 1 -> new ImagePart("image/" + text(), source());
            default -> new FilePart("application/pdf", text(), source());
        };
    }

    private Source source() {
        return switch (random.nextInt(3)) {
            case 0 -> {
                byte[] bytes = new byte[1 + random.nextInt(20)];
                random.nextBytes(bytes);
                yield Source.of(bytes);
            }
            case 1 -> Source.at(URI.create(pick(LINKS) + (halves ? pick(List.of(HALVES)) : "")));
            default -> Source.uploaded(text());
        };
    }

    private AssistantPart assistantPart() {
        return switch (random.nextInt(4)) {
            case 0 -> new TextPart(text());
            case 1 -> new ReasoningPart(text());
            case 2 -> new RefusalPart(text());
            default -> new CallPart(anyText(), anyText(), anyText());
        };
    }

    private ReplyPart reply() {
        return new ReplyPart(anyText(), anyText(), pick(STATUSES), anyText());
    }

    private NativePayload payload() {
        var json = new RandomJson(random);
        Json payload = Json.of(json.spell(json.value(4)));
        return new NativePayload(text(), random.nextBoolean() ? payload : Json.of(payload.compact()));
    }

    private OptionalLong tokens() {
        return random.nextBoolean()
                ? OptionalLong.empty()
                : OptionalLong.of(random.nextLong(random.nextBoolean() ? 1_000 : Long.MAX_VALUE));
    }

    private String anyText() {
        return random.nextInt(5) == 0 ? "" : text();
    }

    private String text() {
        var out = new StringBuilder();
        for (int left = 1 + random.nextInt(8); left > 0; left--) {
            out.append(halves && random.nextInt(3) == 0
                    ? HALVES[random.nextInt(HALVES.length)]
                    : PIECES[random.nextInt(PIECES.length)]);
        }
        return out.toString();
    }

    private interface Making<T> {
        T make();
    }

    private <T> List<T> several(int least, int most, Making<T> making) {
        List<T> made = new ArrayList<>();
        for (int left = least + random.nextInt(most - least + 1); left > 0; left--) {
            made.add(making.make());
        }
        return made;
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
