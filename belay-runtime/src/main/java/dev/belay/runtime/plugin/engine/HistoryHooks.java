package dev.belay.runtime.plugin.engine;

import dev.belay.model.History;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Part.CallPart;
import dev.belay.model.RequestProblem;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.plugin.HistoryHook;
import dev.belay.runtime.plugin.HistoryHook.Request;
import dev.belay.runtime.plugin.PluginView;
import dev.belay.runtime.plugin.engine.SessionPlugins.Of;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks views and compactors, and refuses what they give if no model could be sent it. Stateless. */
public final class HistoryHooks {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.plugin");
    private static final String TEARS_RUNNING = "it leaves out a round of the running turn and keeps older ones";

    private HistoryHooks() {}

    /**
     * What hooks have made of messages.
     *
     * @param plugin whose answer counts; empty for none
     * @param messages to be sent
     * @param failed hooks that were left out, with the reason
     */
    public record Made(String plugin, List<Message> messages, List<String> failed) {

        /** Copies the lists. */
        public Made {
            messages = List.copyOf(messages);
            failed = List.copyOf(failed);
        }
    }

    /**
     * Asks all views, each with what the one before it has given; null if nothing is changed by them.
     *
     * @param compacted what the last compaction has left, which views do not see
     * @param running how many of both together are older than the running turn
     */
    public static @Nullable Made view(SessionPlugins plugins, PluginView view, List<Message> compacted,
            List<Message> messages, int running, TimeSource time) {
        if (messages.isEmpty()) {
            return null;
        }
        List<Message> now = List.copyOf(messages);
        List<String> failed = new ArrayList<>(0);
        for (Of<HistoryHook.View> one : plugins.views) {
            List<Message> before = now;
            try {
                List<Message> given = HookThread.run(time, thread -> {
                    thread.enters(one.plugin());
                    return List.copyOf(one.value().of(view, before));
                });
                String problem = malformed(given);
                if (problem == null && tearsRunning(compacted, messages, running, given)) {
                    problem = TEARS_RUNNING;
                }
                if (problem == null) {
                    now = withoutForeignForms(before, given);
                } else {
                    left(failed, view, one.plugin(), "its view is left out: " + problem);
                }
            } catch (HookThread.HookFailure failure) {
                left(failed, view, one.plugin(), "its view is left out: " + failure.getMessage());
            }
        }
        return now.equals(messages) && failed.isEmpty() ? null : new Made("", now, failed);
    }

    /** Asks compactors until one gives what can be sent. */
    public static Made compact(SessionPlugins plugins, Request request, TimeSource time) {
        List<String> failed = new ArrayList<>(0);
        List<Of<HistoryHook.Compactor>> inOrder = plugins.compactors.stream()
                .sorted(Comparator.comparingInt(one -> one.value().priority()))
                .toList();
        for (Of<HistoryHook.Compactor> one : inOrder) {
            try {
                Optional<List<Message>> given = HookThread.run(time, one.value().patience(), thread -> {
                    thread.enters(one.plugin());
                    return Objects.requireNonNull(one.value().compact(request), "it returned null")
                            .map(List::copyOf);
                });
                if (given.isPresent()) {
                    String problem = problem(request, given.get());
                    if (problem == null) {
                        return new Made(one.plugin(), withoutForeignForms(request.messages(), given.get()),
                                failed);
                    }
                    left(failed, request, one.plugin(), "its compaction is left out: " + problem);
                }
            } catch (HookThread.HookFailure failure) {
                left(failed, request, one.plugin(), "its compaction is left out: " + failure.getMessage());
            }
        }
        return new Made("", request.messages(), failed);
    }

    private static void left(List<String> failed, PluginView view, String plugin, String why) {
        LOG.warn("Plugin {} in session {}: {}", plugin, view.session(), why);
        failed.add(plugin + ": " + why);
    }

    private static @Nullable String malformed(List<Message> given) {
        if (given.stream().anyMatch(Message.SystemMessage.class::isInstance)) {
            return "it has a system message, which is no part of the conversation";
        }
        List<RequestProblem> problems = History.problems(given);
        return problems.isEmpty() ? null : problems.getFirst().message();
    }

    /** Why an answer cannot count; null if it can. */
    private static @Nullable String problem(Request request, List<Message> given) {
        String malformed = malformed(given);
        if (malformed != null) {
            return malformed;
        }
        long took = tokens(request, request.messages());
        long gives = tokens(request, given);
        if (gives >= took) {
            return "it gives " + gives + " tokens for " + took;
        }
        if (gives > request.limit()) {
            return "it gives " + gives + " tokens, and " + request.limit() + " can be sent";
        }
        Set<Message> all = new HashSet<>(given);
        boolean keepsOlder = keepsRound(request.messages().subList(0, request.running()), all);
        for (Message one : request.messages().subList(request.running(), request.messages().size())) {
            if (!all.contains(one) && one instanceof Message.UserMessage) {
                return "it leaves out what the user has said in the running turn";
            }
            if (!all.contains(one) && keepsOlder) {
                return TEARS_RUNNING;
            }
        }
        return null;
    }

    private static boolean keepsRound(List<Message> messages, Set<Message> given) {
        return messages.stream().anyMatch(one -> one instanceof AssistantMessage && given.contains(one));
    }

    /** Whether a view drops a round of calls of the running turn while rounds before the turn stay. It may change what replies say. */
    private static boolean tearsRunning(List<Message> compacted, List<Message> messages, int running,
            List<Message> given) {
        int older = Math.max(0, running - compacted.size());
        List<List<String>> rounds = rounds(messages.subList(older, messages.size()));
        List<List<String>> left = rounds(given);
        int gone = Math.max(0, left.size() - rounds.size());
        boolean whole = left.subList(gone, left.size()).equals(rounds);
        List<Message> kept = compacted.subList(0, Math.min(running, compacted.size()));
        return !whole && (keepsRound(kept, new HashSet<>(kept))
                || keepsRound(messages.subList(0, older), new HashSet<>(given)));
    }

    /** For each message that has calls their ids. */
    private static List<List<String>> rounds(List<Message> messages) {
        return messages.stream()
                .filter(one -> one instanceof AssistantMessage said && !said.calls().isEmpty())
                .map(one -> ((AssistantMessage) one).calls().stream().map(CallPart::id).toList())
                .toList();
    }

    private static long tokens(Request request, List<Message> messages) {
        return messages.stream().mapToLong(request::tokens).sum();
    }

    /** An assistant message that was changed is not what its provider has signed. */
    private static List<Message> withoutForeignForms(List<Message> before, List<Message> given) {
        Set<Message> known = new HashSet<>(before);
        return given.stream()
                .map(one -> one instanceof AssistantMessage said && said.nativePayload() != null
                        && !known.contains(one) ? new AssistantMessage(said.parts()) : one)
                .toList();
    }
}
