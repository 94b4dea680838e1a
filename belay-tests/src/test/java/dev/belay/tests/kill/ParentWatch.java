package dev.belay.tests.kill;

/** Ends a worker when the test that started it is gone: a test that is killed leaves no process behind. */
public final class ParentWatch {

    private static final String PARENT = "belay.tests.parent";

    private ParentWatch() {}

    /** The option that tells a worker who starts it. */
    static String option() {
        return "-D" + PARENT + "=" + ProcessHandle.current().pid();
    }

    /** Halts this process when the one that started it has ended. */
    public static void begin() {
        ProcessHandle.of(Long.getLong(PARENT))
                .ifPresentOrElse(parent -> Thread.ofPlatform().daemon().start(() -> {
                    parent.onExit().join();
                    end();
                }), ParentWatch::end);
    }

    private static void end() {
        Runtime.getRuntime().halt(1);
    }
}
