package dev.belay.tests.session;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Runtimes on the same memory, as processes on the same file; each of them can be made to die at a write. None drains. */
public final class SessionBench implements AutoCloseable {

    /** Until somebody who waits for the world looks again, in nanoseconds. */
    public static final long A_MOMENT = 200_000;

    private static final long PATIENCE = 30;

    private final SharedMemory sessions = new SharedMemory();
    private final List<Belay> opened = new ArrayList<>();
    private final List<String> writes = new CopyOnWriteArrayList<>();

    /** Where a process dies. */
    public record Death(JournalProbe.Moment moment, String write, int times) {

        public static Death at(JournalProbe.Moment moment, String write) {
            return new Death(moment, write, 1);
        }
    }

    /** A process that dies. */
    public static final class Dying {

        public final Belay belay;
        private final CountDownLatch dead;
        private final List<String> written;

        Dying(Belay belay, CountDownLatch dead, List<String> written) {
            this.belay = belay;
            this.dead = dead;
            this.written = written;
        }

        public void awaitDeath() throws InterruptedException {
            if (!dead.await(PATIENCE, TimeUnit.SECONDS)) {
                throw new AssertionError("the process should have died");
            }
            belay.close();
        }

        /** Closes it once its work is over; whether it has died, now or in a write that was under way. */
        public boolean hasDied() {
            belay.close();
            return isDead();
        }

        public boolean isDead() {
            return dead.getCount() == 0;
        }

        /** What it has written before it died. */
        public List<String> written() {
            return List.copyOf(written);
        }
    }

    public Belay open(Model model, UnaryOperator<BelayBuilder> more) {
        return opened(model, more, (moment, name) -> {
            if (moment == JournalProbe.Moment.AFTER) {
                writes.add(name);
            }
        });
    }

    public Dying dying(Model model, Death death, UnaryOperator<BelayBuilder> more) {
        int[] left = {death.times()};
        String write = alike(death.write());
        return dying(model, (moment, name) -> moment == death.moment() && alike(name).equals(write)
                && --left[0] == 0, more);
    }

    /** The name of a write without the random bits of its scope, which differ from play to play. */
    static String alike(String write) {
        return write.replaceAll("[0-9a-f]{32}", "*");
    }

    /** One that dies at the first write of which something is true. */
    public Dying dying(Model model, BiPredicate<JournalProbe.Moment, String> death,
            UnaryOperator<BelayBuilder> more) {
        var dead = new CountDownLatch(1);
        List<String> written = new CopyOnWriteArrayList<>();
        Belay belay = opened(model, more, (moment, name) -> {
            if (moment == JournalProbe.Moment.AFTER) {
                written.add(name);
            }
            if (death.test(moment, name)) {
                dead.countDown();
                throw new StackOverflowError("the process dies at " + moment + " " + name);
            }
        });
        return new Dying(belay, dead, written);
    }

    private Belay opened(Model model, UnaryOperator<BelayBuilder> more, JournalProbe probe) {
        Belay belay = more.apply(
                Belay.builder().model(model).store(sessions.open(probe)).drain(Duration.ZERO)).build();
        opened.add(belay);
        return belay;
    }

    /** Names of the writes of processes that do not die, in order. */
    public List<String> writes() {
        return List.copyOf(writes);
    }

    /** Waits until a process that does not die has written something; whoever reads the store may see it before. */
    public void awaitWrite(String write) {
        awaitWriteThat(write::equals);
    }

    /** Waits until a process that does not die has written something like it. */
    public String awaitWriteThat(Predicate<String> is) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        Optional<String> found = writes.stream().filter(is).findFirst();
        while (found.isEmpty()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("waited for a write, found " + writes);
            }
            LockSupport.parkNanos(A_MOMENT);
            found = writes.stream().filter(is).findFirst();
        }
        return found.get();
    }

    /** Looks until something is so; fails after a while, or once its thread is interrupted. */
    public static void awaitThat(String what, BooleanSupplier is) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (!is.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("waited in vain: " + what);
            }
            LockSupport.parkNanos(A_MOMENT);
        }
    }

    /** The calls, by key, with an attempt whose start is among the writes of a process and whose end is not: they are in doubt. */
    public static Set<String> leftOpen(List<String> written) {
        Set<String> open = new TreeSet<>();
        for (String write : written) {
            String[] words = write.split(" ", -1);
            if (words[0].equals("effect") && words[2].equals("STARTED")) {
                open.add(words[1].replaceFirst("/attempt/[0-9]+$", ""));
            } else if (words[0].equals("effect")) {
                open.remove(words[1].replaceFirst("/attempt/[0-9]+$", ""));
            }
        }
        return open;
    }

    /** Calls of a conversation, by id, that are in doubt. */
    public static Set<String> inDoubt(List<Message> messages) {
        return messages.stream()
                .filter(ToolMessage.class::isInstance)
                .flatMap(message -> ((ToolMessage) message).replies().stream())
                .filter(reply -> reply.text().contains("in_doubt"))
                .map(reply -> reply.callId())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What is recorded of a turn under a key, whoever wrote it. */
    public Json record(String session, long turn, String key) {
        try (var store = new StoreDriver(sessions.open())) {
            var scope = TurnScope.id(store.head(new SessionId(session)).orElseThrow().incarnation(), turn);
            return Objects.requireNonNull(store.effects(scope)
                    .stream()
                    .filter(row -> row.key().equals(key))
                    .findFirst()
                    .orElseThrow()
                    .result());
        }
    }

    @Override
    public void close() {
        opened.forEach(Belay::close);
    }

    /** Whether a new process dies like one before it, rather than leave the turn alone because it is stuck. */
    public boolean dies(Model model, Death death, ToolProvider tools) throws InterruptedException {
        try {
            Dying again = dying(model, death, builder -> builder.tools(tools));
            while (!again.isDead()) {
                if (!again.belay.stuck().isEmpty()) {
                    again.belay.close();
                    return false;
                }
                LockSupport.parkNanos(A_MOMENT);
            }
            again.awaitDeath();
        } catch (StackOverflowError dead) {
            // while it was opened, or asked
        }
        return true;
    }

    /** The tool {@code ask}, which hands out its key and waits. */
    public static StaticToolProvider asking(Queue<String> tokens, ToolEffect effect) {
        return StaticToolProvider.builder().raw(tool("ask", effect), (arguments, context) -> {
            tokens.add(context.completionKey().token());
            return ToolResult.pending();
        }).build();
    }

    public static ToolDefinition tool(String name, ToolEffect effect) {
        return ToolDefinition.raw(name, "Does " + name + ".", Json.of("{\"type\":\"object\"}"))
                .effect(effect);
    }

    /** A model that is a function of what it is asked. */
    public static Model model(Function<ModelRequest, ModelResponse> answer) {
        return new Model() {
            @Override
            public String id() {
                return "function";
            }

            @Override
            public ModelResponse complete(ModelRequest request, ModelListener listener) {
                return answer.apply(request);
            }
        };
    }

    /** A model that makes calls, message by message, and then says what it has read. */
    @SafeVarargs
    public static Model calling(List<CallPart>... rounds) {
        return model(request -> {
            int done = roundsSinceUser(request);
            return done < rounds.length ? calls(rounds[done]) : text("done: " + lastReplies(request));
        });
    }

    public static int roundsSinceUser(ModelRequest request) {
        int rounds = 0;
        for (Message message : request.messages().reversed()) {
            if (message instanceof ToolMessage) {
                rounds++;
            } else if (message instanceof UserMessage) {
                return rounds;
            }
        }
        return rounds;
    }

    public static String lastReplies(ModelRequest request) {
        for (Message message : request.messages().reversed()) {
            if (message instanceof ToolMessage tool) {
                return String.join(", ", tool.replies().stream().map(reply -> reply.text()).toList());
            }
        }
        return "nothing";
    }

    public static ModelResponse text(String text) {
        return new ModelResponse(Message.assistant(text), FinishReason.STOP, Usage.of(10, 5), "function", "");
    }

    public static ModelResponse calls(List<CallPart> calls) {
        return new ModelResponse(Message.assistant(calls.toArray(CallPart[]::new)), FinishReason.TOOL_CALLS,
                Usage.of(7, 3), "function", "");
    }

    public static CallPart call(String id, String tool) {
        return new CallPart(id, tool, "{}");
    }
}
