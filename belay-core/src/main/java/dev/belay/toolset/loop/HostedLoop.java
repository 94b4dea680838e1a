package dev.belay.toolset.loop;

import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.MessageLog;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.ReplyPart;
import dev.belay.tool.Dynamic;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.context.HostValues;
import dev.belay.toolset.StepRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A loop of your own with a {@link LoopHost} behind it: the same steps, rounds and commits as on a {@link
 * dev.belay.toolset.Transcript}, asked, run and kept by the host. Made by a runtime, not by programs.
 *
 * <p>Concurrency: as a transcript; calls of one round may be run by several threads.
 */
public final class HostedLoop {

    private final LoopHost host;
    private final String model;
    private final TranscriptState transcript;
    private volatile LoopHost.@Nullable Asked newest;
    private volatile Map<String, ToolEntry<?>> offered = Map.of();

    /**
     * A loop that goes on from a past.
     *
     * @param host asks the model, runs the bodies and records the outcomes
     * @param model the id of the model that the host asks
     * @param past what was said before
     */
    public HostedLoop(LoopHost host, String model, List<Message> past) {
        this.host = host;
        this.model = model;
        this.transcript = new TranscriptState(new HostBackend(), past);
    }

    /** Starts a request, exactly like {@link dev.belay.toolset.Transcript#step}. */
    public StepRequest<String> step() {
        return StepRequest.of(transcript, new Asking());
    }

    /** Everything that was said and committed so far. */
    public List<Message> messages() {
        return transcript.messages();
    }

    /**
     * Asks through the host. One object for each step, which may ask twice: messages that joined the first request stay in the
     * second.
     */
    private final class Asking implements Model {

        private final List<Message> joined = new ArrayList<>();
        private int before = -1;

        @Override
        public String id() {
            return model;
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            if (before < 0) {
                before = request.messages().size();
            }
            LoopHost.Asked asked = host.ask(withJoined(request), offered.values(), listener);
            joined.addAll(asked.joined());
            newest = asked;
            transcript.join(asked.round(), asked.joined());
            return asked.response();
        }

        private ModelRequest withJoined(ModelRequest request) {
            if (joined.isEmpty()) {
                return request;
            }
            List<Message> asked = request.messages();
            MessageLog messages = MessageLog.of(asked.subList(0, before))
                    .append(joined)
                    .append(asked.subList(before, asked.size()));
            return new ModelRequest(messages, request.tools(), request.toolChoice(), request.output(),
                    request.generation(), request.pictures());
        }
    }

    /** Runs calls through the host. */
    private final class HostBackend implements RoundBackend {

        @Override
        public CallReply run(RoundState round, int index, ToolEntry<?> entry, Body body) {
            LoopHost.Decided decided = decided(index);
            String proposed = decided == null ? null : decided.proposed();
            Json agreed = decided == null || proposed == null ? null : decided.arguments();
            Arguments.Valid decoded = round.decoded(index);
            String arguments = proposed != null
                    ? proposed
                    : decoded == null ? edited(round, index, entry) : round.part(index).arguments();
            var call = new LoopHost.HostedCall(round.number(), index, round.callId(index),
                    entry, arguments, decoded, agreed,
                    round.host(), body);
            return CallReply.of(round, index, host.run(call).orElse(null));
        }

        private static String edited(RoundState round, int index, ToolEntry<?> entry) {
            return arguments(Objects.requireNonNull(round.input(index), "a call that runs has an input"),
                    entry.definition()).text();
        }

        private static Json arguments(Object leaf, ToolDefinition definition) {
            return leaf instanceof Dynamic call ? call.arguments() : definition.encode(leaf);
        }

        /** The arguments of a call of the newest round; null if it could not be run. */
        private @Nullable Json arguments(RoundState round, int index) {
            Object leaf = round.input(index);
            ToolEntry<?> entry = offered.get(round.part(index).name());
            return leaf == null || entry == null ? null : arguments(leaf, entry.definition());
        }

        @Override
        public void offers(Collection<? extends ToolEntry<?>> tools) {
            Map<String, ToolEntry<?>> byName = new LinkedHashMap<>();
            tools.forEach(tool -> byName.put(tool.name(), tool));
            offered = byName;
        }

        @Override
        public LoopHost.@Nullable Decided decided(int index) {
            LoopHost.Asked asked = newest;
            return asked == null ? null : asked.decided().get(index);
        }

        @Override
        public Optional<List<ReplyPart>> settle(RoundState round, List<CallReply> replies) {
            List<Optional<ToolOutcome>> outcomes = new ArrayList<>();
            replies.forEach(reply -> outcomes.add(Optional.ofNullable(reply.outcome())));
            return host.commit(round.number(), outcomes, index -> arguments(round, index))
                    .map(told -> parts(round, told));
        }

        private static List<ReplyPart> parts(RoundState round, List<LoopHost.Told> told) {
            var parts = new ArrayList<ReplyPart>(told.size());
            for (LoopHost.Told one : told) {
                int index = parts.size();
                parts.add(new ReplyPart(round.callId(index).value(), round.part(index).name(), one.status(),
                        one.text()));
            }
            return parts;
        }

        @Override
        public HostValues hostValues() {
            return host.hostValues();
        }

        @Override
        public boolean allows(String tool) {
            return host.allows(tool);
        }

        @Override
        public List<Wait> waits() {
            return host.waits();
        }

        @Override
        public boolean isCurrent(int number) {
            LoopHost.Asked asked = newest;
            return asked != null && asked.round() == number;
        }

        @Override
        public boolean isReplay() {
            LoopHost.Asked asked = newest;
            return asked != null && asked.recorded();
        }
    }
}
