package dev.belay.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Shows each rule a fixture that breaks it; a rule that accepts its fixture guards nothing. */
class ArchitectureRulesTest {

    private static final String FIXTURES = "dev.belay.fixture.";

    @Test
    void useOfALaterRoomIsRejected() {
        CoreRooms rooms = new CoreRooms(FIXTURES + "rooms");
        assertThat(violations(rooms.useOnlyWhatIsToTheirLeft(), "rooms"))
                .hasSize(2)
                .anyMatch(line -> line.contains("rooms.json.Early") && line.contains("rooms.tool.Late"))
                .anyMatch(line -> line.contains("rooms.Stray") && line.contains("rooms.tool.Late"));
    }

    @Test
    void unknownRoomsAndStraysInTheRootAreRejected() {
        CoreRooms rooms = new CoreRooms(FIXTURES + "rooms");
        assertThat(violations(rooms.areAllKnown(), "rooms"))
                .hasSize(2)
                .anyMatch(line -> line.contains("rooms.Stray"))
                .anyMatch(line -> line.contains("rooms.attic.Box"));
    }

    @Test
    void knotOfClassesIsFound() {
        JavaClasses cycle = new ClassFileImporter().importPackages(FIXTURES + "cycle");
        assertThat(Knots.ofClasses(cycle, 1)).containsExactly(
                Set.of(FIXTURES + "cycle.left.Hen", FIXTURES + "cycle.right.Egg"));
        assertThat(Knots.ofClasses(cycle, 2)).isEmpty();
    }

    @Test
    void circleOfPackagesIsFound() {
        JavaClasses cycle = new ClassFileImporter().importPackages(FIXTURES + "cycle");
        assertThat(Knots.ofPackages(cycle))
                .containsExactly(Set.of(FIXTURES + "cycle.left", FIXTURES + "cycle.right"));
    }

    @Test
    void printingIsRejected() {
        assertRejects(ArchitectureRules.onlyTheCommandLinePrints(), "prints", "toOut", "toErr", "stackTrace");
    }

    @Test
    void emptyNamesAreRejected() {
        assertRejects(ArchitectureRules.namesSayWhatAThingIs(), "names", "DefaultThing", "ThingManager",
                "ThingHelper", "ThingUtil", "ThingUtils", "ThingImpl");
        assertThat(violations(ArchitectureRules.namesSayWhatAThingIs(), "names"))
                .noneMatch(line -> line.contains("Defaults"));
    }

    @Test
    void futuresInSignaturesAreRejected() {
        assertRejects(ArchitectureRules.signaturesAreBlocking(), "signatures", "returnsFuture",
                "returnsFutures",
                "takesPublisher", "takesStage", "heldFuture");
        assertThat(violations(ArchitectureRules.signaturesAreBlocking(), "signatures"))
                .noneMatch(line -> line.contains("hiddenFuture"));
    }

    @Test
    void jacksonInSignaturesIsRejected() {
        assertRejects(ArchitectureRules.signaturesHideJackson(), "signatures", "returnsTree");
    }

    @Test
    void jacksonInABodyIsRejectedInCore() {
        assertRejects(ArchitectureRules.coreUsesNoJackson(), "jackson", "inTheBody");
    }

    @Test
    void threadsAreRejectedInCore() {
        assertRejects(ArchitectureRules.coreStartsNoThread(), "threads", "newThread", "virtualThread",
                "builder",
                "executor", "future", "parallelStream", "parallel", "sleeps", "byReference", "timer");
    }

    @Test
    void ioIsRejectedInCore() {
        assertRejects(ArchitectureRules.coreDoesNoIo(), "io", "file", "path", "http", "resource", "process",
                "socket");
        assertThat(violations(ArchitectureRules.coreDoesNoIo(), "io"))
                .noneMatch(line -> line.contains("uriIsFine") || line.contains("readerIsFine"));
    }

    @Test
    void connectionsAreRejected() {
        assertRejects(ArchitectureRules.onlyClientsAndServersConnect(), "io", "http", "socket");
        assertThat(violations(ArchitectureRules.onlyClientsAndServersConnect(), "io"))
                .noneMatch(line -> line.contains("uriIsFine"));
    }

    @Test
    void readingTheClockIsRejectedInCore() {
        assertRejects(ArchitectureRules.coreReadsNoClock(), "clock", "instant", "localDate", "millis",
                "nanos",
                "systemClock", "date", "byReference");
        assertThat(violations(ArchitectureRules.coreReadsNoClock(), "clock"))
                .noneMatch(line -> line.contains("givenClockIsFine"));
    }

    @Test
    void drawingRandomnessIsRejectedInCore() {
        assertRejects(ArchitectureRules.coreDrawsNoRandomness(), "random", "math", "unseeded", "threadLocal",
                "uuid",
                "generator");
        assertThat(violations(ArchitectureRules.coreDrawsNoRandomness(), "random"))
                .noneMatch(line -> line.contains("seededIsFine"));
    }

    @Test
    void secureRandomIsRejectedInCoreUnlessAllowed() {
        assertRejects(ArchitectureRules.coreUsesSecureRandomOnlyWhereAllowed(Set.of()), "random", "secure");
        assertThat(violations(ArchitectureRules
                .coreUsesSecureRandomOnlyWhereAllowed(Set.of(FIXTURES + "random.Draws")), "random"))
                .isEmpty();
    }

    private static void assertRejects(ArchRule rule, String fixture, String... names) {
        List<String> violations = violations(rule, fixture);
        for (String name : names) {
            assertThat(violations).as("violations of: " + rule.getDescription())
                    .anyMatch(line -> line.matches("(?s).*\\b" + name + "\\b.*"));
        }
    }

    private static List<String> violations(ArchRule rule, String fixture) {
        return rule.allowEmptyShould(true)
                .evaluate(new ClassFileImporter().importPackages(FIXTURES + fixture))
                .getFailureReport()
                .getDetails();
    }
}
