package dev.belay.cli.operate;

import java.util.List;

/** The commands of operators. */
public final class OperatorVerbs {

    private OperatorVerbs() {}

    /** All of them, in the order of the help. */
    public static List<Class<?>> all() {
        return List.of(PsVerb.class, SessionVerbs.class, TurnVerbs.class, WaitVerbs.ListPending.class,
                ApprovalVerbs.Approve.class, ApprovalVerbs.Deny.class, ApprovalVerbs.Answer.class,
                ApprovalVerbs.TakeBack.class,
                GrantVerb.class,
                WaitVerbs.Resolve.class, WaitVerbs.Reissue.class, DoubtVerbs.ListDoubts.class,
                DoubtVerbs.Settle.class,
                PauseVerbs.Begin.class,
                PauseVerbs.End.class, PauseVerbs.ListPauses.class, PauseVerbs.Audit.class, StoreVerbs.class);
    }
}
