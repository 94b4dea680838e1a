package dev.belay.runtime.plugin.engine;

import dev.belay.model.History;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
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

    /** Asks all views, each with what the one before it has given; null if no plugin has one. */
    public static @Nullable Made view(SessionPlugins plugins, PluginView view, List<Message> messages,
            TimeSource time) {
        if (plugins.views.isEmpty() || messages.isEmpty()) {
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
        List<Message> older = request.messages().subList(0, request.running());
        boolean keepsOlder = older.stream()
                .anyMatch(one -> one instanceof AssistantMessage && all.contains(one));
        for (Message one : request.messages().subList(request.running(), request.messages().size())) {
            if (!all.contains(one) && one instanceof Message.UserMessage) {
                return "it leaves out what the user has said in the running turn";
            }
            if (!all.contains(one) && keepsOlder) {
                return "it leaves out a round of the running turn and keeps older ones";
            }
        }
        return null;
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
