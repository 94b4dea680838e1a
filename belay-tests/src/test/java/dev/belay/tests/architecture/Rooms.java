package dev.belay.tests.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;

/** A room is a package with those below it: its door and what stands behind the door. Rooms do not use each other in circles. */
final class Rooms {

    /** Packages that hold rooms of their own, the innermost first. */
    private static final List<String> HALLS = List.of("dev.belay.fixture.cycle", "dev.belay.runtime",
            "dev.belay.testkit",
            "dev.belay.toolbox", "dev.belay.store", "dev.belay");
    /** Rooms of other modules below a package that is a room of core. */
    private static final List<String> APART = List.of("dev.belay.model.http", "dev.belay.model.openai",
            "dev.belay.model.anthropic", "dev.belay.model.langchain4j");

    private Rooms() {}

    static String of(JavaClass type) {
        String name = type.getPackageName();
        for (String room : APART) {
            if ((name + ".").startsWith(room + ".")) {
                return room;
            }
        }
        for (String hall : HALLS) {
            if (name.startsWith(hall + ".")) {
                return hall + "." + name.substring(hall.length() + 1).split("\\.", 2)[0];
            }
        }
        return name;
    }
}
