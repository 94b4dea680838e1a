package dev.belay.cli.demo;

import java.util.List;

/** The demo's command. */
public final class DemoVerbs {

    private DemoVerbs() {}

    /** All of them. */
    public static List<Class<?>> all() {
        return List.of(Demo.class);
    }
}
