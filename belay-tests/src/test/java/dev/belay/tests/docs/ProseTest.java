package dev.belay.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tests.Project;
import dev.belay.tests.docs.Prose.Fault;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Holds the sentences of the README and of {@code docs} to the rules of {@link Prose}. Five faults do not occur; of the others the number
 * only falls: {@code -Dbelay.docs.update=true} records a smaller one.
 */
class ProseTest {

    private static final Project PROJECT = Project.here();
    private static final Set<Fault> NEVER = EnumSet.of(Fault.F1, Fault.F2, Fault.F6, Fault.F9, Fault.F10);
    private static final String RECORDED = "belay-tests/src/test/resources/dev/belay/tests/docs/faults.properties";

    @TestFactory
    Stream<DynamicTest> fiveFaultsDoNotOccur() {
        return NEVER.stream()
                .map(fault -> DynamicTest.dynamicTest(fault + ": " + fault.words(),
                        () -> assertThat(hits(fault)).isEmpty()));
    }

    @TestFactory
    Stream<DynamicTest> otherFaultsOnlyFall() throws IOException {
        var recorded = new Properties();
        recorded.load(new StringReader(PROJECT.read(RECORDED)));
        return EnumSet.complementOf(EnumSet.copyOf(NEVER))
                .stream()
                .map(fault -> DynamicTest.dynamicTest(fault + ": " + fault.words(), () -> {
                    List<String> hits = hits(fault);
                    int most = Integer.parseInt(recorded.getProperty(fault.name()));
                    if (hits.size() < most && Boolean.getBoolean("belay.docs.update")) {
                        record(fault, most, hits.size());
                    }
                    Path list = PROJECT.root().resolve("belay-tests/target/faults-" + fault + ".txt");
                    Files.createDirectories(list.getParent());
                    Files.write(list, hits);
                    assertThat(hits.size()).as("sentences with this fault; %s lists them", list)
                            .isLessThanOrEqualTo(most);
                }));
    }

    @Test
    void sentencesOfParagraphsItemsAndCellsAreFound() {
        Prose prose = Prose.parse("""
                # What a heading says

                One sentence.  `Another.` starts
                here: it ends; here.

                - item [with a link](page.md) tells
                ```text
                What a block says: nothing; at all.
                ```
                | This page | - |
                |---|---|
                | a cell | is asked |
                """);
        assertThat(prose.sentences()).extracting(Prose.Sentence::text)
                .containsExactly("One sentence.", "`Another.` starts here: it ends; here.",
                        "item [with a link] tells", "This page", "a cell", "is asked");
        assertThat(prose.sentences()).extracting(Prose.Sentence::line).containsExactly(3, 3, 6, 10, 12, 12);
        assertThat(prose.with(Fault.F6)).singleElement().extracting(Prose.Sentence::line).isEqualTo(3);
        assertThat(prose.with(Fault.F5)).singleElement()
                .extracting(Prose.Sentence::text)
                .isEqualTo("is asked");
        assertThat(prose.with(Fault.F9)).singleElement()
                .extracting(Prose.Sentence::text)
                .isEqualTo("This page");
    }

    @Test
    void everyFaultIsFound() {
        String page = """
                `Belay` is in `dev.belay.runtime`.

                %s end.

                What it tells is told. A fork has that of its turn. A view is asked. One: two; three: four.

                It runs, also if it stops. A thing that runs and that stops, which ends. [Plugins](a.md) says how. It is not yet here.
                """
                .formatted("word ".repeat(35));
        assertThat(Prose.parse(page).with(Fault.F2)).hasSize(1);
        for (Fault fault : Fault.values()) {
            assertThat(Prose.parse(page).with(fault)).as(fault.name()).isNotEmpty();
        }
    }

    private static List<String> hits(Fault fault) {
        List<String> hits = new ArrayList<>();
        Stream.concat(Stream.of("README.md"), PROJECT.files("docs", ".md").stream())
                .filter(file -> fault != Fault.F10
                        || (!file.startsWith("docs/decisions/")
                                && !file.equals("docs/reference/contract.md")))
                .forEach(file -> Prose.parse(PROJECT.read(file))
                        .with(fault)
                        .forEach(found -> hits.add(file + ":" + found.line() + ": " + found.text())));
        return hits;
    }

    private static void record(Fault fault, int before, int now) throws IOException {
        Files.writeString(PROJECT.root().resolve(RECORDED),
                PROJECT.read(RECORDED).replace(fault + "=" + before + "\n", fault + "=" + now + "\n"));
    }
}
