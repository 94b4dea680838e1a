package dev.belay.runtime.catalog;

import static dev.belay.runtime.catalog.Samples.tools;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.BelayException;
import dev.belay.model.ToolSpec;
import dev.belay.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads at once: a catalog is always of one piece, and no change is lost or counted twice. */
@Timeout(120)
class RegistryConcurrencyTest {

    private static final int WRITERS = 4;
    private static final int READERS = 4;
    private static final int ROUNDS = 200;
    private static final int TOOLS = 5;

    private final ToolRegistry registry = new ToolRegistry();
    private final ToolRegistry child = ToolRegistry.below(registry);
    private final Map<Long, String> shown = new ConcurrentHashMap<>();
    private final Map<Long, String> shownBelow = new ConcurrentHashMap<>();

    /** Tools that are there all together or not at all. */
    private static String[] names(int writer, int round) {
        return IntStream.range(0, TOOLS)
                .mapToObj(i -> "w" + writer + "_" + round + "_" + i)
                .toArray(String[]::new);
    }

    private static void assertWhole(ToolCatalog catalog, Map<Long, String> texts) {
        List<String> names = catalog.names();
        assertThat(names).doesNotHaveDuplicates();
        assertThat(catalog.specs()).extracting(ToolSpec::name).isEqualTo(names);
        assertThat(catalog.prompt()).hasSameSizeAs(names);
        assertThat(catalog.fingerprints()).hasSameSizeAs(names);
        assertThat(catalog.provider().definitions()).extracting(ToolDefinition::name).containsAll(names);
        assertThat(catalog.provider().definitions())
                .allMatch(tool -> catalog.offers(tool.manifest()) == names.contains(tool.name()));
        Map<String, Long> perSource = names.stream()
                .filter(name -> name.startsWith("w"))
                .collect(Collectors.groupingBy(name -> name.substring(0, name.lastIndexOf('_')),
                        Collectors.counting()));
        assertThat(perSource.values()).allMatch(count -> count == TOOLS);
        String text = String.join(" ", names);
        assertThat(texts.computeIfAbsent(catalog.generation(), generation -> text)).isEqualTo(text);
    }

    private void race(List<Callable<Boolean>> writers) throws Exception {
        var done = new AtomicBoolean();
        var ready = new CountDownLatch(1);
        List<Callable<Boolean>> readers = IntStream.range(0, READERS).<Callable<Boolean>>mapToObj(i -> () -> {
            ready.await();
            boolean below = i % 2 == 1;
            long last = -1;
            while (!done.get()) {
                ToolCatalog catalog = (below ? child : registry).catalog();
                assertWhole(catalog, below ? shownBelow : shown);
                assertThat(catalog.generation()).isGreaterThanOrEqualTo(last);
                last = catalog.generation();
            }
            return true;
        }).toList();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<Boolean>> reading = new ArrayList<>();
            readers.forEach(reader -> reading.add(threads.submit(reader)));
            List<Future<Boolean>> writing = new ArrayList<>();
            writers.forEach(writer -> writing.add(threads.submit(() -> {
                ready.await();
                return writer.call();
            })));
            ready.countDown();
            try {
                for (Future<Boolean> writer : writing) {
                    assertThat(writer.get()).isTrue();
                }
            } finally {
                done.set(true);
            }
            for (Future<Boolean> reader : reading) {
                assertThat(reader.get()).isTrue();
            }
        }
    }

    @Test
    void everyVisibleChangeCountsOnce() throws Exception {
        registry.add(tools("x0", "x1", "x2", "x3"));
        race(IntStream.range(0, WRITERS).<Callable<Boolean>>mapToObj(writer -> () -> {
            for (int round = 0; round < ROUNDS; round++) {
                SourceHandle source = registry.add(tools(names(writer, round)));
                registry.setMembership(List.of("x" + writer), false);
                source.replace(tools(names(writer, ROUNDS + round)));
                registry.setMembership(List.of("x" + writer), true);
                source.withdraw();
            }
            return true;
        }).toList());
        assertThat(registry.generation()).isEqualTo(1 + (long) WRITERS * ROUNDS * 5);
        assertThat(registry.catalog().names()).containsExactly("x0", "x1", "x2", "x3");
    }

    @Test
    void sourcesThatChangeAndFailDisturbNobody() throws Exception {
        Samples.Changing changing = Samples.Changing.ofNames();
        registry.add(changing);
        registry.add(tools("steady"));
        Samples.Logged<Boolean> run = Samples.logged(() -> {
            race(List.of(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    changing.setNames(names(9, round));
                    assertThat(registry.catalog().names()).contains(names(9, round));
                    assertThat(child.catalog().names()).contains(names(9, round));
                    changing.fail(new IllegalStateException("lost"));
                }
                changing.setNames();
                return true;
            }, () -> {
                for (int round = 0; round < ROUNDS; round++) {
                    SourceHandle source = child.add(tools(names(1, round)));
                    child.setMembership(List.of("steady"), round % 2 == 0);
                    ToolState state = child.state();
                    assertThat(ToolState.of(state.toJson())).isEqualTo(state);
                    source.withdraw();
                }
                return true;
            }));
            return true;
        });
        assertThat(run.result()).isTrue();
        assertThat(registry.catalog().names()).containsExactly("steady");
        assertThat(child.list()).hasSize(1);
    }

    @Test
    void ofManyWhoAddTheSameToolOneSucceeds() throws Exception {
        for (int round = 0; round < 50; round++) {
            String name = "only_" + round;
            try (ExecutorService threads = Executors.newCachedThreadPool()) {
                var ready = new CountDownLatch(1);
                List<Future<Boolean>> attempts = new ArrayList<>();
                for (int i = 0; i < WRITERS; i++) {
                    attempts.add(threads.submit(() -> {
                        ready.await();
                        try {
                            registry.add(tools(name));
                            return true;
                        } catch (BelayException refused) {
                            return false;
                        }
                    }));
                }
                ready.countDown();
                int added = 0;
                for (Future<Boolean> attempt : attempts) {
                    added += attempt.get() ? 1 : 0;
                }
                assertThat(added).isEqualTo(1);
            }
        }
        assertThat(registry.generation()).isEqualTo(50);
    }

    @Test
    void ofManyWhoApplyTheSameStateOneSucceeds() throws Exception {
        registry.add(tools("a", "b", "c", "d"));
        ToolState state = registry.state();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<Boolean>> attempts = new ArrayList<>();
            for (ToolState.Entry entry : state.tools()) {
                attempts.add(threads.submit(() -> {
                    try {
                        registry.applyState(state.with(entry.id(), Membership.ABSENT));
                        return true;
                    } catch (BelayException mismatch) {
                        return !mismatch.code().equals("generation_mismatch");
                    }
                }));
            }
            int applied = 0;
            for (Future<Boolean> attempt : attempts) {
                applied += attempt.get() ? 1 : 0;
            }
            assertThat(applied).isEqualTo(1);
        }
        assertThat(registry.catalog().names()).hasSize(3);
        assertThat(registry.generation()).isEqualTo(2);
    }
}
