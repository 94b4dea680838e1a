package dev.belay.examples.desk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** Starts a scripted server in place of a model, and {@link Desk} in a process whose environment has the address of the server. */
public final class Main {

    private Main() {}

    public static void main(String[] args) throws Exception {
        int status;
        try (var model = new ScriptedServer()) {
            status = start(model.address()).waitFor();
        }
        System.exit(status);
    }

    private static Process start(String address) throws IOException {
        var desk = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), Kept.class.getName())
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        // a key of yours is not sent to anybody, and its provider is not asked
        Set.copyOf(desk.environment().keySet())
                .stream()
                .filter(name -> name.matches("(OPENAI|ANTHROPIC)_.*"))
                .forEach(desk.environment()::remove);
        desk.environment().put("OPENAI_BASE_URL", address);
        desk.environment().put("OPENAI_MODEL", "scripted");
        return desk.start();
    }

    /** The desk in a process that ends with the process of its model. */
    static final class Kept {

        private Kept() {}

        public static void main(String[] args) throws InterruptedException {
            Thread.ofPlatform().daemon().start(Kept::endWithItsParent);
            Desk.main(args);
        }

        private static void endWithItsParent() {
            try {
                while (System.in.read() >= 0) {
                    // nothing is said; the end of the input is the end of the parent
                }
            } catch (IOException e) {
                // the same
            }
            Runtime.getRuntime().halt(1);
        }
    }
}
