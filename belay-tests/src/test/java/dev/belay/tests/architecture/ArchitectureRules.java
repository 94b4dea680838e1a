package dev.belay.tests.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.stream.BaseStream;

/** The rules of the house. {@link ArchitectureRulesTest} shows that each of them can say no. */
final class ArchitectureRules {

    /** Core classes, by full name, that may draw from {@code SecureRandom}. Each needs a reason beside it. */
    static final Set<String> MAY_USE_SECURE_RANDOM = Set.of(
            // its 128 bits keep idempotency keys of two conversations apart and must not be guessed
            "dev.belay.tool.context.Incarnation");

    private ArchitectureRules() {}

    static ArchRule onlyTheCommandLinePrints() {
        return noClasses().that()
                .resideOutsideOfPackages("dev.belay.cli..", "dev.belay.examples..")
                .should(ACCESS_STANDARD_STREAMS)
                .because("a library logs; only the command line and examples print");
    }

    static ArchRule namesSayWhatAThingIs() {
        return noClasses().that()
                .areTopLevelClasses()
                .should()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveNameMatching(".*\\.Default[A-Z][^.]*")
                .because("an implementation says how it does it");
    }

    static ArchRule signaturesAreBlocking() {
        DescribedPredicate<JavaClass> asynchronous = resideInAnyPackage("org.reactivestreams..", "reactor..",
                "io.reactivex..", "rx..", "io.smallrye.mutiny..", "kotlinx.coroutines..")
                .or(nameMatching("java\\.util\\.concurrent\\.(Flow|SubmissionPublisher)(\\$.*)?"))
                .or(JavaClass.Predicates.assignableTo(java.util.concurrent.Future.class))
                .or(JavaClass.Predicates.assignableTo(java.util.concurrent.CompletionStage.class));
        return classes().that()
                .arePublic()
                .should(SignatureCondition.nameNo("future or reactive type", asynchronous));
    }

    static ArchRule signaturesHideJackson() {
        return classes().that().arePublic().should(SignatureCondition.nameNo("type of Jackson", ofJackson()));
    }

    static ArchRule coreUsesNoJackson() {
        return noClasses().should(dependOnClassesThat(ofJackson()));
    }

    static ArchRule coreStartsNoThread() {
        return noClasses()
                .should(dependOnClassesThat(nameMatching("java\\.util\\.(Timer|TimerTask)"
                        + "|java\\.lang\\.Thread\\$Builder.*|java\\.util\\.concurrent\\.(Executor.*|ForkJoin.*"
                        + "|.*ThreadPoolExecutor|.*ExecutorService|CompletableFuture|StructuredTaskScope.*)")))
                .orShould(accessTargetWhere(target(Thread.class,
                        "<init>|start|startVirtualThread|ofVirtual|ofPlatform|sleep|join")))
                .orShould(accessTargetWhere(target(BaseStream.class, "parallel")))
                .orShould(accessTargetWhere(target(Iterable.class, "parallelStream")))
                .because("core has no threads: the caller's thread is the only one");
    }

    static ArchRule coreDoesNoIo() {
        return noClasses()
                .should(dependOnClassesThat(resideInAnyPackage("java.nio.file..", "java.nio.channels..",
                        "java.net.http..", "java.sql..", "javax.net..")))
                .orShould(dependOnClassesThat(nameMatching("java\\.io\\.(File.*|RandomAccessFile|Console)"
                        + "|java\\.lang\\.(Process|ProcessBuilder|Runtime)(\\$.*)?"
                        + "|java\\.net\\.(URL|URLConnection|HttpURLConnection|InetAddress|.*Socket)")))
                .orShould(accessTargetWhere(target(Class.class, "getResource(AsStream)?")))
                .orShould(accessTargetWhere(target(ClassLoader.class, "get(System)?Resource.*|resources")))
                .because("core does no I/O: bytes and text come in and go out as parameters");
    }

    static ArchRule onlyClientsAndServersConnect() {
        return noClasses().that()
                .resideOutsideOfPackages("dev.belay.model.http..", "dev.belay.model.openai..",
                        "dev.belay.model.anthropic..", "dev.belay.model.langchain4j..", "dev.belay.mcp..",
                        "dev.belay.toolbox.http..", "dev.belay.testkit..")
                .should(dependOnClassesThat(resideInAnyPackage("java.net.http..", "javax.net..",
                        "com.sun.net.httpserver..")))
                .orShould(
                        dependOnClassesThat(nameMatching("java\\.nio\\.channels\\..*(Socket|Datagram)Channel"
                                + "|java\\.net\\.(URL|.*URLConnection|InetAddress|InetSocketAddress|.*Socket)")))
                .because(
                        "no telemetry: models, MCP servers, databases and http_get are all that is connected to");
    }

    static ArchRule coreReadsNoClock() {
        return noClasses()
                .should(accessTargetWhere(target(System.class, "currentTimeMillis|nanoTime")))
                .orShould(accessTargetWhere(describe("read the time from java.time",
                        (JavaAccess<?> access) -> access.getTargetOwner()
                                .getPackageName()
                                .startsWith("java.time")
                                && access.getTarget().getName().equals("now")
                                && !access.getTarget().getFullName().contains("java.time.Clock"))))
                .orShould(accessTargetWhere(target(java.time.Clock.class, "system.*|tick.*")))
                .orShould(accessTargetWhere(describe("make a Date of now",
                        (JavaAccess<?> access) -> access.getTarget()
                                .getFullName()
                                .equals("java.util.Date.<init>()"))))
                .orShould(accessTargetWhere(target(java.util.Calendar.class, "getInstance")))
                .because("time comes in as a Clock");
    }

    static ArchRule coreDrawsNoRandomness() {
        return noClasses()
                .should(accessTargetWhere(target(Math.class, "random")))
                .orShould(accessTargetWhere(target(StrictMath.class, "random")))
                .orShould(accessTargetWhere(target(java.util.UUID.class, "randomUUID")))
                .orShould(accessTargetWhere(target(java.util.random.RandomGenerator.class, "getDefault|of")))
                .orShould(accessTargetWhere(describe("seed a generator from outside",
                        (JavaAccess<?> access) -> access.getTarget()
                                .getFullName()
                                .matches("java\\.util\\.(Random|SplittableRandom)\\.<init>\\(\\)"))))
                .orShould(dependOnClassesThat(nameMatching("java\\.util\\.concurrent\\.ThreadLocalRandom")))
                .because("randomness comes in as a RandomGenerator");
    }

    static ArchRule coreUsesSecureRandomOnlyWhereAllowed(Set<String> allowed) {
        return noClasses()
                .that(describe("are not allowed to", (JavaClass type) -> !allowed.contains(type.getName())))
                .should(dependOnClassesThat(nameMatching("java\\.security\\.SecureRandom")))
                .because("randomness comes in; MAY_USE_SECURE_RANDOM lists the exceptions");
    }

    private static DescribedPredicate<JavaClass> ofJackson() {
        return resideInAnyPackage("tools.jackson..", "com.fasterxml.jackson..");
    }

    /** Calls, references and field accesses whose owner is the type or below it. */
    private static DescribedPredicate<JavaAccess<?>> target(Class<?> owner, String member) {
        return describe(owner.getSimpleName() + "." + member,
                access -> access.getTargetOwner().isAssignableTo(owner)
                        && access.getTarget().getName().matches(member));
    }
}
