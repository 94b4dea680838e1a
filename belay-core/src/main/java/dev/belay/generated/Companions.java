package dev.belay.generated;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the companion of a class. A companion lives in the package of its class and registers itself in its static
 * initializer; loading it by name is all that is needed, also in a module that exports and opens nothing.
 *
 * <p>Thread-safe. What is found is remembered on the class itself, so that class loaders can still be collected.
 */
public final class Companions {

    private static final ClassValue<Slot> SLOTS = new ClassValue<>() {
        @Override
        protected Slot computeValue(Class<?> type) {
            return new Slot();
        }
    };

    private static final class Slot {
        private volatile @Nullable Companion companion;
        /** A class that has none is not looked for again: that searches the whole class path. */
        private volatile boolean looked;
    }

    /** Apart, because the processor asks for names inside the compiler, where no logging must start. */
    private static final class Log {
        private static final Logger LOG = LoggerFactory.getLogger("dev.belay.generated");
    }

    private Companions() {}

    /** The name of the companion of a class: {@code p.Outer$Inner} has {@code p.Outer_Inner__Belay}. */
    public static String nameFor(String binaryName) {
        int end = binaryName.lastIndexOf('.') + 1;
        return binaryName.substring(0, end) + binaryName.substring(end).replace('$', '_') + "__Belay";
    }

    /** The companion of a class, if one was generated in a format that this version reads. */
    public static Optional<Companion> of(Class<?> owner) {
        Slot slot = SLOTS.get(owner);
        if (!slot.looked) {
            load(owner);
            slot.looked = true;
        }
        return Optional.ofNullable(slot.companion).filter(found -> readable(owner, found));
    }

    /**
     * The companion of a class if it was made for just these shapes. A stale one is ignored, with a warning that says how to
     * mend it.
     */
    public static Optional<Companion> of(Class<?> owner, String shapeHash) {
        Optional<Companion> found = of(owner);
        if (found.isPresent() && !found.get().shapeHash().equals(shapeHash)) {
            Log.LOG.warn(
                    "Ignoring the generated companion of {}: it was made for another shape of this class or of a type it "
                            + "uses. Compile the class again (mvn clean compile).",
                    owner.getName());
            return Optional.empty();
        }
        return found;
    }

    static void register(Class<?> owner, Companion companion) {
        SLOTS.get(owner).companion = companion;
    }

    private static void load(Class<?> owner) {
        try {
            Class.forName(nameFor(owner.getName()), true, owner.getClassLoader());
        } catch (ClassNotFoundException e) {
            Log.LOG.debug("No generated companion for {}", owner.getName());
        } catch (LinkageError e) {
            Log.LOG.warn(
                    "Ignoring the generated companion of {}: it cannot be linked ({}). Compile the class again "
                            + "(mvn clean compile).",
                    owner.getName(), e.toString());
        }
    }

    private static boolean readable(Class<?> owner, Companion companion) {
        if (companion.format() == Companion.FORMAT) {
            return true;
        }
        Log.LOG.warn(
                "Ignoring the generated companion of {}: it has format {}, this version of Belay reads {}. Use the same "
                        + "version of belay-core and belay-processor.",
                owner.getName(), companion.format(), Companion.FORMAT);
        return false;
    }
}
