package dev.belay.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.tests.Project;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Checks the documents of this checkout. {@code mvn verify -Dbelay.docs.update=true} writes the regions into them
 * first.
 */
class DocSnippetsTest {

    private static final Documents DOCUMENTS = new Documents(Project.here());

    @TestFactory
    Stream<DynamicTest> documentIsTrue() {
        return DOCUMENTS.files().stream().map(file -> DynamicTest.dynamicTest(file, () -> {
            if (Boolean.getBoolean("belay.docs.update")) {
                DOCUMENTS.update(file);
            }
            assertThat(DOCUMENTS.problems(file)).isEmpty();
        }));
    }
}
