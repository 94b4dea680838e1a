package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The code of {@code docs/testing-your-tools.md} does what the page says. */
final class TestKitSnippetsTest {

    private final TestKitSnippets snippets = new TestKitSnippets();

    @Test
    void aToolIsCrashedInMemory() throws Exception {
        var report = snippets.crash();

        assertThat(report.crashes()).isEqualTo(3 * report.records());
        assertThat(snippets.crashOnce().crashes()).isEqualTo(1);
    }

    @Test
    void aToolThatWaitsIsCrashed() throws Exception {
        assertThat(snippets.crashWithTheWorld().interleavings()).isEqualTo(20);
    }

    @Test
    void aToolIsCrashedOnSqlite() throws Exception {
        assertThat(snippets.crashOnSqlite().crashes()).isPositive();
    }

    @Test
    void aToolIsCalled() throws Exception {
        snippets.harness();
        snippets.deferred();
    }

    @Test
    void aToolThatAsksIsTestedInSixLines() throws Exception {
        snippets.approval();
        assertThat(snippets.approvalCrash().crashes()).isPositive();
        assertThat(snippets.one().deaths()).hasSize(3);
    }

    /** The class of the page, which JUnit runs as it stands there. */
    @Nested
    final class OfThePage extends TestKitSnippets.WireTest {}
}
