package sluice.lab;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;

/// The laws of the rooms, checked on the byte code. A law that stands in the way is discussed, not
/// worked around.
@AnalyzeClasses(packages = "sluice", importOptions = ArchitectureTest.ProductOnly.class)
final class ArchitectureTest {

    /// Tests and test kits are free.
    static final class ProductOnly implements ImportOption {
        private static final Pattern NOT_PRODUCT =
                Pattern.compile(".*/(test-classes|testkit/target|lab/target)/.*");

        @Override
        public boolean includes(Location location) {
            return !location.matches(NOT_PRODUCT);
        }
    }

    private static final String[] WITHOUT_IO = {
        "sluice.base..", "sluice.secure..", "sluice.protocol..", "sluice.policy.."
    };

    /// Parts that protocols share. They are not protocols.
    private static final String[] SHARED_BY_PROTOCOLS = {
        "sluice.protocol.spi..",
        "sluice.protocol.address..",
        "sluice.protocol.access..",
        "sluice.protocol.uot..",
        "sluice.protocol.mux..",
        "sluice.protocol.carrier..",
        "sluice.protocol.sniff.."
    };

    // --- The doors ---

    @ArchTest
    static final ArchRule onlyLinuxCallsForeignFunctions =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("sluice.linux..")
                    .should()
                    .dependOnClassesThat(
                            named("java.lang.foreign.Linker", "java.lang.foreign.SymbolLookup"));

    @ArchTest
    static final ArchRule onlyTheSystemRoomsTouchSockets =
            noClasses()
                    .that()
                    .resideOutsideOfPackages("sluice.linux..", "sluice.portable..")
                    .should()
                    .dependOnClassesThat(
                            named(
                                            "java.net.Socket",
                                            "java.net.ServerSocket",
                                            "java.net.DatagramSocket",
                                            "java.net.MulticastSocket")
                                    .or(resideInAPackage("javax.net"))
                                    .or(
                                            resideInAPackage("java.nio.channels..")
                                                    .and(
                                                            named(
                                                                            "java.nio.channels.FileChannel",
                                                                            "java.nio.channels.FileLock")
                                                                    .negate())));

    @ArchTest
    static final ArchRule onlyTheControlPlaneTouchesFiles =
            noClasses()
                    .that()
                    .resideInAnyPackage(WITHOUT_IO)
                    .should()
                    .dependOnClassesThat(
                            named(
                                    "java.nio.file.Files",
                                    "java.io.FileInputStream",
                                    "java.io.FileOutputStream",
                                    "java.io.RandomAccessFile",
                                    "java.nio.channels.FileChannel"));

    // --- Machines own no thread, clock, randomness or log ---

    @ArchTest
    static final ArchRule machinesStartNoThread =
            noClasses()
                    .that()
                    .resideInAnyPackage(WITHOUT_IO)
                    .should()
                    .dependOnClassesThat(
                            named(
                                    "java.util.Timer",
                                    "java.util.concurrent.Executors",
                                    "java.util.concurrent.ForkJoinPool",
                                    "java.util.concurrent.ThreadPoolExecutor",
                                    "java.util.concurrent.CompletableFuture",
                                    "java.lang.Thread$Builder"))
                    .orShould()
                    .callMethodWhere(
                            target(
                                    Thread.class,
                                    "start",
                                    "startVirtualThread",
                                    "sleep",
                                    "ofPlatform",
                                    "ofVirtual"));

    @ArchTest
    static final ArchRule machinesReadNoClock =
            noClasses()
                    .that()
                    .resideInAnyPackage(WITHOUT_IO)
                    .should()
                    .callMethodWhere(target(System.class, "nanoTime", "currentTimeMillis"))
                    .orShould()
                    .callMethodWhere(target(java.time.Instant.class, "now"))
                    .orShould()
                    .callMethodWhere(target(java.time.LocalDateTime.class, "now"))
                    .orShould()
                    .callMethodWhere(target(java.time.ZonedDateTime.class, "now"))
                    .orShould()
                    .dependOnClassesThat(named("java.time.Clock", "java.util.Date"));

    @ArchTest
    static final ArchRule machinesDrawNoRandomness =
            noClasses()
                    .that()
                    .resideInAnyPackage(WITHOUT_IO)
                    .should()
                    .dependOnClassesThat(
                            named(
                                    "java.util.Random",
                                    "java.util.SplittableRandom",
                                    "java.util.concurrent.ThreadLocalRandom",
                                    "java.security.SecureRandom"))
                    .orShould()
                    .callMethodWhere(target(Math.class, "random"))
                    .orShould()
                    .callMethodWhere(target(java.util.UUID.class, "randomUUID"));

    @ArchTest
    static final ArchRule machinesWriteNoLog =
            noClasses()
                    .that()
                    .resideInAnyPackage(WITHOUT_IO)
                    .should()
                    .dependOnClassesThat(named("java.lang.System$Logger"));

    @ArchTest
    static final ArchRule onlyCommandsPrint =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("sluice.app..")
                    .should()
                    .accessField(System.class, "out")
                    .orShould()
                    .accessField(System.class, "err")
                    .orShould()
                    .callMethodWhere(target(Throwable.class, "printStackTrace"));

    // --- Who may know whom ---

    @ArchTest
    static final ArchRule protocolsAreStrangers =
            slices().matching("sluice.protocol.(*)..")
                    .should()
                    .notDependOnEachOther()
                    .ignoreDependency(alwaysTrue(), resideInAnyPackage(SHARED_BY_PROTOCOLS));

    @ArchTest
    static final ArchRule theEngineKnowsNoProtocol =
            noClasses()
                    .that()
                    .resideInAPackage("sluice.engine..")
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage("sluice.protocol..")
                                    .and(resideInAPackage("sluice.protocol.spi..").negate()));

    @ArchTest
    static final ArchRule theEngineKnowsNoSystem =
            noClasses()
                    .that()
                    .resideInAPackage("sluice.engine..")
                    .should()
                    .dependOnClassesThat(resideInAnyPackage("sluice.linux..", "sluice.portable.."));

    @ArchTest
    static final ArchRule policyDecidesAndNeverActs =
            noClasses()
                    .that()
                    .resideInAPackage("sluice.policy..")
                    .should()
                    .dependOnClassesThat(
                            resideInAnyPackage(
                                    "sluice.engine..",
                                    "sluice.protocol..",
                                    "sluice.secure..",
                                    "sluice.linux..",
                                    "sluice.portable.."));

    @ArchTest
    static final ArchRule nobodyKnowsTheApp =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("sluice.app..")
                    .should()
                    .dependOnClassesThat(resideInAPackage("sluice.app.."));

    @ArchTest
    static final ArchRule packagesHaveNoCircles =
            slices().matching("sluice.(**)").should().beFreeOfCycles();

    // --- Names ---

    @ArchTest
    static final ArchRule namesSayTheRoom =
            noClasses()
                    .should()
                    .haveNameMatching(
                            ".*[.$](Abstract\\w*|\\w*(Util|Utils|Helper|Helpers|Manager|Impl))");

    private static DescribedPredicate<JavaClass> named(String... names) {
        Set<String> set = Set.of(names);
        return DescribedPredicate.describe(
                "are one of " + set, type -> set.contains(type.getName()));
    }

    private static DescribedPredicate<JavaCall<?>> target(Class<?> owner, String... methods) {
        Set<String> set = Set.of(methods);
        return DescribedPredicate.describe(
                "target is " + owner.getSimpleName() + "." + Arrays.toString(methods),
                call -> {
                    CodeUnitCallTarget called = call.getTarget();
                    return set.contains(called.getName())
                            && called.getOwner().isAssignableTo(owner);
                });
    }
}
