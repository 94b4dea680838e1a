package dev.belay.cli.operate;

import java.util.List;

/** The commands of operators. */
public final class OperatorVerbs {

    private OperatorVerbs() {}

    /** All of them, in the order of the help. */
    public static List<Class<?>> all() {
        return List.of(Ps.class, Sessions.class, Turns.class, Waits.ListPending.class, Waits.Resolve.class,
                Waits.Reissue.class, DoubtVerbs.ListDoubts.class, DoubtVerbs.Settle.class, Pauses.Begin.class,
                Pauses.End.class, Pauses.ListPauses.class, Pauses.Audit.class);
    }
}
