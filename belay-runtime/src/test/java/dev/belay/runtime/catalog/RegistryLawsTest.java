package dev.belay.runtime.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.ToolSpec;
import dev.belay.runtime.catalog.NaiveRegistry.Advertised;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.Visibility;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Random operations on a registry and on a naive one: both must say the same after each. */
class RegistryLawsTest {

    private static final int SEEDS = Boolean.getBoolean("belay.long") ? 5_000 : 60;
    private static final int STEPS = 60;
    private static final List<Membership> MEMBERSHIPS = List.of(Membership.values());
    private static final Json SCHEMA = Json.of("{\"type\":\"object\"}");

    @Test
    void everyOperationDoesWhatTheNaiveOneDoes() throws Exception {
        String log = Samples.logged(() -> {
            runAll();
            return true;
        }).log();
        assertThat(log).contains("left out");
    }

    private static void runAll() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var run = new Run(new Random(seed));
            for (int step = 0; step < STEPS; step++) {
                try {
                    run.operate();
                    run.check();
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("seed " + seed + ", step " + step + ": " + run.last, e);
                }
            }
        }
    }

    /** A provider over a source of the naive registry. Makes its definitions anew whenever it is asked. */
    private record Provider(NaiveRegistry.Source source) implements ToolProvider {
        @Override
        public List<ToolDefinition> definitions() {
            return source.tools.stream().map(RegistryLawsTest::definition).toList();
        }

        @Override
        public Object execute(PreparedCall call) {
            return "";
        }
    }

    private static ToolDefinition definition(Advertised tool) {
        return ToolDefinition.raw(tool.name(), tool.words(), SCHEMA)
                .id(tool.id())
                .resident(tool.resident())
                .visibility(tool.internal() ? Visibility.INTERNAL : Visibility.MODEL);
    }

    private static final class Run {

        private final Random random;
        private ToolRegistry real = new ToolRegistry();
        private NaiveRegistry naive = new NaiveRegistry();
        private Map<NaiveRegistry.Source, SourceHandle> handles = new HashMap<>();
        private final Map<Long, String> textOfGeneration = new HashMap<>();
        private ToolState stale = real.state();
        private String last = "nothing";
        /** Sees the same, and counts from when it was made. */
        private ToolRegistry below = ToolRegistry.below(real);
        private long madeIn;

        Run(Random random) {
            this.random = random;
        }

        void operate() {
            switch (random.nextInt(12)) {
                case 0, 1 -> add(random.nextInt(3) == 0);
                case 2 -> replace();
                case 3 -> withdraw();
                case 4, 5 -> change();
                case 6, 7 -> decide();
                case 8 -> apply();
                case 9 -> applyState();
                case 10 -> applyStale();
                default -> restart();
            }
        }

        private List<Advertised> someTools() {
            return IntStream.range(0, random.nextInt(4))
                    .mapToObj(i -> new Advertised("id" + random.nextInt(7), "name" + random.nextInt(7),
                            "Words " + random.nextInt(2) + ".", random.nextInt(6) == 0,
                            random.nextInt(4) != 0))
                    .toList();
        }

        private NaiveRegistry.Source someSource() {
            return naive.sources.get(random.nextInt(naive.sources.size()));
        }

        private void strictly(Runnable naively, Runnable really) {
            NaiveRegistry before = naive.copy();
            try {
                naively.run();
            } catch (NaiveRegistry.Refused refused) {
                naive = before;
                assertThatThrownBy(really::run).isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).startsWith("duplicate_tool_"));
                return;
            }
            really.run();
        }

        private void add(boolean overlay) {
            if (naive.sources.size() > 4) {
                withdraw();
                return;
            }
            var source = new NaiveRegistry.Source(overlay, someTools());
            last = "add " + source.tools + (overlay ? " over" : "");
            strictly(() -> {
                naive.sources.add(source);
                naive.settle(source);
            }, () -> handles.put(source,
                    overlay ? real.overlay(new Provider(source)) : real.add(new Provider(source))));
        }

        private void replace() {
            if (naive.sources.isEmpty()) {
                return;
            }
            NaiveRegistry.Source source = someSource();
            List<Advertised> before = source.tools;
            List<Advertised> tools = someTools();
            last = "replace " + before + " by " + tools;
            strictly(() -> {
                source.tools = tools;
                try {
                    naive.settle(source);
                } finally {
                    source.tools = before;
                }
            }, () -> {
                // the provider that replaces is the same one with other tools, so it must not be noticed before
                SourceHandle handle = Objects.requireNonNull(handles.get(source));
                var other = new NaiveRegistry.Source(source.overlay, tools);
                handle.replace(new Provider(other));
                source.tools = tools;
                handle.replace(new Provider(source));
            });
        }

        private void withdraw() {
            if (naive.sources.isEmpty()) {
                return;
            }
            NaiveRegistry.Source source = someSource();
            last = "withdraw " + source.tools;
            naive.sources.remove(source);
            naive.settle(null);
            Objects.requireNonNull(handles.remove(source)).withdraw();
        }

        private void change() {
            if (naive.sources.isEmpty()) {
                return;
            }
            NaiveRegistry.Source source = someSource();
            last = "change " + source.tools;
            source.tools = someTools();
            naive.settle(null);
        }

        private void decide() {
            List<String> names = Stream.generate(() -> "name" + random.nextInt(8))
                    .limit(3)
                    .distinct()
                    .toList();
            Membership what = someMembership();
            last = "decide " + names + " " + what;
            List<String> unknown = new ArrayList<>();
            List<String> internal = new ArrayList<>();
            for (String name : names) {
                Optional<Advertised> live = naive.live()
                        .stream()
                        .filter(tool -> tool.name().equals(name))
                        .findFirst();
                Optional<String> orphan = naive.orphans.entrySet()
                        .stream()
                        .filter(entry -> entry.getValue().equals(name))
                        .map(Map.Entry::getKey)
                        .findFirst();
                if (live.filter(Advertised::internal).isPresent()) {
                    internal.add(name);
                } else if (live.isEmpty() && orphan.isEmpty()) {
                    unknown.add(name);
                } else {
                    naive.decide(live.map(Advertised::id).or(() -> orphan).orElseThrow(), what);
                }
            }
            naive.show();
            MembershipChanges answer = what == Membership.DEFAULT
                    ? real.resetMembership(names)
                    : real.setMembership(names, what == Membership.PRESENT);
            assertThat(answer.notFound()).isEqualTo(unknown);
            assertThat(answer.internal()).isEqualTo(internal);
        }

        private Membership someMembership() {
            return MEMBERSHIPS.get(random.nextInt(MEMBERSHIPS.size()));
        }

        private void apply() {
            List<MembershipChange> changes = Stream
                    .generate(() -> new MembershipChange(new ToolId("id" + random.nextInt(7)),
                            someMembership()))
                    .limit(3)
                    .toList();
            last = "apply " + changes;
            changes.forEach(change -> naive.decide(change.id().value(), change.membership()));
            naive.show();
            real.apply(changes);
        }

        private void applyState() {
            ToolState state = real.state();
            stale = state;
            List<ToolState.Entry> entries = new ArrayList<>();
            last = "apply state without some";
            naive.decided.clear();
            naive.orphans.clear();
            for (ToolState.Entry entry : state.tools()) {
                String id = entry.id().value();
                if (random.nextInt(5) != 0) {
                    var next = new ToolState.Entry(entry.id(), entry.tool(),
                            random.nextInt(4) == 0 ? someMembership() : entry.membership(), entry.orphaned());
                    entries.add(next);
                    naive.recall(next);
                } else if (naive.find(id).filter(naive::isMember).isPresent()) {
                    naive.decided.put(id, Membership.ABSENT);
                }
            }
            naive.show();
            real.applyState(new ToolState(state.generation(), state.surface(), entries));
        }

        private void applyStale() {
            last = "apply a state of generation " + stale.generation();
            if (stale.generation() != naive.generation) {
                assertThatThrownBy(() -> real.applyState(stale)).isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("generation_mismatch"));
            }
        }

        /** A new process: some sources are missing, and come back afterwards in another order. */
        private void restart() {
            ToolState saved = ToolState.of(Json.of(real.state().toJson().text()));
            assertThat(saved).isEqualTo(real.state());
            last = "restart";
            List<Advertised> shownBefore = naive.shown;
            NaiveRegistry old = naive;
            real = new ToolRegistry();
            naive = new NaiveRegistry();
            handles = new HashMap<>();
            boolean complete = random.nextBoolean();
            for (NaiveRegistry.Source source : old.sources) {
                if (complete || random.nextBoolean()) {
                    addAgain(source);
                }
            }
            saved.tools().forEach(naive::recall);
            naive.shown = shownBefore;
            naive.generation = saved.generation();
            naive.show();
            RestoreReport report = real.restoreState(saved);
            assertThat(report.orphans()).extracting(ToolId::value)
                    .containsExactlyElementsOf(naive.orphans.keySet());
            assertThat(report.rebound()).extracting(ToolId::value)
                    .containsExactlyElementsOf(old.orphans.keySet()
                            .stream()
                            .filter(id -> naive.find(id).isPresent())
                            .toList());
            below = ToolRegistry.below(real);
            madeIn = naive.generation;
        }

        private void addAgain(NaiveRegistry.Source source) {
            strictly(() -> {
                naive.sources.add(source);
                naive.settle(source);
            }, () -> handles.put(source,
                    source.overlay ? real.overlay(new Provider(source)) : real.add(new Provider(source))));
        }

        void check() {
            ToolCatalog catalog = real.catalog();
            assertThat(catalog.generation()).isEqualTo(naive.generation);
            assertThat(catalog.names()).isEqualTo(naive.shown.stream().map(Advertised::name).toList());
            assertThat(catalog.specs()).isEqualTo(naive.shown.stream()
                    .map(tool -> new ToolSpec(tool.name(), tool.words(), SCHEMA))
                    .toList());
            assertThat(catalog.prompt()).isSortedAccordingTo(Comparator.comparing(ToolSpec::name))
                    .containsExactlyInAnyOrderElementsOf(catalog.specs());
            assertThat(catalog.provider().definitions()).extracting(tool -> tool.id().value())
                    .isEqualTo(naive.live().stream().map(Advertised::id).toList());
            assertThat(real.list().stream().filter(tool -> tool instanceof ListedTool.Orphan))
                    .extracting(tool -> tool.id().value())
                    .containsExactlyElementsOf(naive.orphans.keySet());
            assertThat(real.list()).allSatisfy(tool -> {
                Advertised live = naive.find(tool.id().value()).orElse(null);
                assertThat(tool.isMember()).isEqualTo(live != null && naive.isMember(live));
                assertThat(tool.membership())
                        .isEqualTo(naive.decided.getOrDefault(tool.id().value(), Membership.DEFAULT));
            });
            assertThat(below.catalog().specs()).isEqualTo(catalog.specs());
            assertThat(below.generation()).isEqualTo(naive.generation - madeIn);
            String text = catalog.specs().toString() + catalog.prompt() + catalog.fingerprints();
            assertThat(textOfGeneration.computeIfAbsent(catalog.generation(), g -> text)).isEqualTo(text);
        }
    }
}
