package dev.belay.cli.talk;

import java.util.List;

/** The commands that run turns. */
public final class TalkVerbs {

    private TalkVerbs() {}

    /** All of them, in the order of the help. */
    public static List<Class<?>> all() {
        return List.of(RunVerb.class, ChatVerb.class, ResumeVerb.class, ReplayVerb.class, EventsVerb.class,
                ContextVerb.class, EvalVerb.class);
    }
}
