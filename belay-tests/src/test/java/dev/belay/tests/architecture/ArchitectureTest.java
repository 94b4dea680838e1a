package dev.belay.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.belay.BelayException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds the code of every module on this module's class path to the rules. */
class ArchitectureTest {

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.belay");

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(
                    location -> location.asURI().toString().contains(locationOf(BelayException.class)))
            .importPackages("dev.belay");

    /** What a reader can hold in mind at once. */
    private static final int MOST_IN_A_KNOT = 8;

    @TestFactory
    Stream<DynamicTest> everyModuleObeys() {
        return Stream.of(ArchitectureRules.onlyTheCommandLinePrints(),
                ArchitectureRules.namesSayWhatAThingIs(), ArchitectureRules.signaturesAreBlocking(),
                ArchitectureRules.signaturesHideJackson(),
                ArchitectureRules.onlyClientsAndServersConnect())
                .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(ALL)));
    }

    @TestFactory
    Stream<DynamicTest> coreObeys() {
        CoreRooms rooms = new CoreRooms("dev.belay");
        return Stream
                .of(rooms.areAllKnown(), rooms.useOnlyWhatIsToTheirLeft(),
                        ArchitectureRules.coreUsesNoJackson(),
                        ArchitectureRules.coreStartsNoThread(), ArchitectureRules.coreDoesNoIo(),
                        ArchitectureRules.coreReadsNoClock(), ArchitectureRules.coreDrawsNoRandomness(),
                        ArchitectureRules.coreUsesSecureRandomOnlyWhereAllowed(
                                ArchitectureRules.MAY_USE_SECURE_RANDOM))
                .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(CORE)));
    }

    @Test
    void noKnotHoldsMoreThanEightClasses() {
        assertThat(Knots.ofClasses(ALL, MOST_IN_A_KNOT)).isEmpty();
    }

    @Test
    void packagesDoNotUseEachOtherInCircles() {
        assertThat(Knots.ofPackages(ALL)).isEmpty();
    }

    @Test
    void coreIsWhatIsLookedAt() {
        assertThat(CORE.contain(BelayException.class)).isTrue();
        assertThat(CORE.contain(ArchitectureTest.class)).isFalse();
        assertThat(ALL.contain(BelayException.class)).isTrue();
    }

    @Test
    void classesAllowedSecureRandomExist() {
        assertThat(ArchitectureRules.MAY_USE_SECURE_RANDOM).allMatch(CORE::contain);
    }

    private static String locationOf(Class<?> type) {
        try {
            URI location = type.getProtectionDomain().getCodeSource().getLocation().toURI();
            return location.getPath();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("no usable location of " + type, e);
        }
    }
}
