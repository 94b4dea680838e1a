package dev.belay.runtime.session.state;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.MessageLog;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.runtime.plugin.engine.ActedOn;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.asking.FailedTry;
import dev.belay.runtime.session.inbox.JoinedArrivals;
import dev.belay.runtime.session.inbox.SessionImage;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.store.Arrival;
import dev.belay.tool.ToolOutcome;
import dev.belay.toolset.loop.LoopHost;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A turn so far. Made again from records each time the turn is entered; it only accumulates them. Confined to the turn's thread. */
public final class TurnState {

    private final int before;
    private final Set<String> taken = LinkedHashSet.newLinkedHashSet(1);
    private final List<String> commands = new ArrayList<>(0);
    private final List<String> settles = new ArrayList<>(0);
    private final List<ActedOn> actions = new ArrayList<>(0);
    private final List<TurnCall> calls = new ArrayList<>(1);
    private volatile MessageLog messages; // bodies read it through their context
    private final TurnSpending spending = new TurnSpending();
    /** Failed tries that are counted. */
    private Set<String> tried = Set.of();
    /** Batches of which the history keeps something else than the model was told, in their order. */
    private final List<RoundRecord.Before> rewritten = new ArrayList<>(0);
    private int rounds;
    private int idle;
    private int unrecorded;

    public TurnState(TurnStart start, SessionImage image) {
        before = image.messages().size();
        messages = image.messages().append(start.input().said());
        taken.add(start.inputId());
        settles(start.input());
    }

    private void settles(TurnInput input) {
        String token = input.settles();
        if (token != null) {
            settles.add(token);
        }
    }

    /** Keys of waits that are settled with the turn's result. */
    public List<String> settles() {
        return settles;
    }

    /** Lets commands wait for the next turn, because this one does not carry them out. */
    public void leaveCommands() {
        commands.forEach(taken::remove);
    }

    /** An action was carried out. */
    public void acted(ActedOn acted) {
        taken.add(acted.result().input());
        actions.add(acted);
    }

    /** The actions that were carried out. */
    public List<ActedOn> actions() {
        return actions;
    }

    /** Takes a command in that no round has. */
    public void took(Arrival command) {
        taken.add(command.id());
    }

    /** Takes over what a round decided. */
    public void apply(RoundRecord round) {
        messages = messages.append(join(round));
        ModelResponse reply = round.reply();
        if (reply != null && round.wrong() == null) { // an answer of the wrong form is no part of the conversation
            if (round.end() == null && reply.calls().isEmpty()) {
                messages = answered(reply).append(round.hooks().after().messages());
            } else if (round.end() == null || round.end() instanceof TurnEnd.Finished) {
                messages = messages.append(reply.message().withCallIds(rounds));
            } else if (round.end() instanceof TurnEnd.Refused(String reason)) {
                messages = messages.append(reply.message().declining(reason));
            }
        }
    }

    /** With an answer in a program's loop, which decides what it means; an answer without text is no message. */
    private MessageLog answered(ModelResponse reply) {
        String declined = reply.declined().orElse(null);
        if (declined != null) {
            return messages.append(reply.message().declining(declined));
        }
        return reply.text().isBlank() ? messages : messages.append(reply.message());
    }

    /** Takes over what a round decided, but for the messages; what it adds before the model's answer. */
    public List<Message> join(RoundRecord round) {
        for (Arrival arrival : round.joined()) {
            taken.add(arrival.id());
            switch (arrival.kind()) {
                case INPUT -> {
                    settles(TurnInput.of(arrival.content()));
                    ActedOn.of(arrival).ifPresent(this::acted);
                }
                case COMMAND -> commands.add(arrival.id());
                case NOTICE -> {
                }
            }
        }
        spending.add(round);
        if (round.reply() != null) {
            rounds++;
        }
        if (round.unrecorded()) {
            lostRound();
        }
        List<Message> joined = JoinedArrivals.messages(round.joined());
        joined.addAll(round.hooks().before().messages());
        return joined;
    }

    /**
     * Takes over what a failed try has cost, once.
     *
     * @param number of the try in its round
     */
    public void failed(int round, int number, FailedTry failed) {
        tried = tried.isEmpty() ? new HashSet<>() : tried;
        if (tried.add(FailedTry.key(round, number).value())) {
            spending.add(failed);
            if (failed.unrecorded()) {
                lostRound();
            }
        }
    }

    /** A process that died may have asked a model without a record. */
    public void lostRound() {
        unrecorded++;
    }

    /** Takes over what the model was told of the calls of the last message, and what the history keeps of them. */
    public void told(RoundRecord.Before shown) {
        List<LoopHost.Told> replies = shown.replies();
        List<CallPart> calls = ((AssistantMessage) messages.getLast()).calls();
        var parts = new ArrayList<ReplyPart>(calls.size());
        for (LoopHost.Told reply : replies) {
            CallPart call = calls.get(parts.size());
            parts.add(new ReplyPart(call.id(), call.name(), reply.status(), reply.text()));
        }
        messages = messages.append(new Message.ToolMessage(parts));
        keeps(shown);
    }

    /** The history keeps something else of a batch than the model was told. */
    public void keeps(RoundRecord.Before shown) {
        if (!shown.history().isEmpty()) {
            rewritten.add(shown);
        }
    }

    /** Takes over the messages of a loop that keeps them itself. */
    public void messages(List<Message> all) {
        messages = MessageLog.of(all);
    }

    /**
     * Takes over how the calls of the last message ended.
     *
     * @param shown what the model is told of them; null for everything
     */
    public void apply(List<ToolOutcome> outcomes, RoundRecord.@Nullable Before shown) {
        AssistantMessage asked = (AssistantMessage) messages.getLast();
        var replies = new ArrayList<ReplyPart>(outcomes.size());
        boolean success = !asked.text().isBlank();
        for (CallPart call : asked.calls()) {
            ToolOutcome outcome = outcomes.get(replies.size());
            calls.add(new TurnCall(rounds, replies.size(), call.id(), call.name(), call.arguments(),
                    TurnCall.State.ENDED, outcome));
            replies.add(new ReplyPart(call.id(), call.name(), outcome.status(),
                    shown == null ? outcome.text() : shown.replies().get(replies.size()).text()));
            success |= outcome instanceof ToolOutcome.Success;
        }
        messages = messages.append(new Message.ToolMessage(replies));
        if (shown != null) {
            keeps(shown);
        }
        idle = success ? 0 : idle + 1;
    }

    public MessageLog messages() {
        return messages;
    }

    /** The calls of the loop that the runtime owns. */
    public List<TurnCall> calls() {
        return calls;
    }

    /** The JSON of what the turn has added, for its commit. From here on the messages are those that the history keeps. */
    public List<Json> takeAdded() {
        if (!rewritten.isEmpty()) {
            rewrite();
        }
        return messages.takeJson(before);
    }

    /** Puts what the history keeps in the place of what the model was told. A loop of a program may have left batches out. */
    private void rewrite() {
        var all = new ArrayList<Message>(messages);
        int next = 0;
        for (int at = before; at < all.size() && next < rewritten.size(); at++) {
            for (int of = next; of < rewritten.size()
                    && all.get(at) instanceof Message.ToolMessage(var replies); of++) {
                RoundRecord.Before shown = rewritten.get(of);
                if (isOf(replies, shown)) {
                    all.set(at, new Message.ToolMessage(kept(replies, shown.history())));
                    next = of + 1;
                    break;
                }
            }
        }
        messages = MessageLog.of(all);
    }

    private static boolean isOf(List<ReplyPart> replies, RoundRecord.Before shown) {
        return replies.stream()
                .map(ReplyPart::text)
                .toList()
                .equals(shown.replies().stream().map(LoopHost.Told::text).toList());
    }

    private static List<ReplyPart> kept(List<ReplyPart> replies, List<String> texts) {
        var kept = new ArrayList<ReplyPart>(replies.size());
        for (ReplyPart reply : replies) {
            kept.add(new ReplyPart(reply.callId(), reply.toolName(), reply.status(), texts.get(kept.size())));
        }
        return kept;
    }

    /** Ids of the arrivals that are in this turn. */
    public Set<String> taken() {
        return taken;
    }

    public TurnSpending spending() {
        return spending;
    }

    public int rounds() {
        return rounds;
    }

    /** Rounds that a process which died may have asked before. */
    public int unrecorded() {
        return unrecorded;
    }

    /** Rounds in a row that brought nothing. */
    public int idle() {
        return idle;
    }
}
