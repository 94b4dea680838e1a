package dev.belay.cli.settings;

import dev.belay.cli.shell.Shell;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.runtime.policy.PolicyDecision.Verdict;
import dev.belay.tool.ToolEffect;
import java.util.Optional;

/** What happens to calls about which the policy asks. */
public enum ApproveMode {
    /** A person is asked; without a terminal the call waits. */
    ASK,
    /** Only {@code READ} runs. */
    SAFE,
    /** They are refused. */
    NEVER,
    /** They run; a rule that denies counts all the same. */
    ALL;

    /** The policy under this mode. */
    public Policy over(Policy policy) {
        return switch (this) {
            case ASK, NEVER, ALL -> policy; // what asks is answered by the command, which leaves a row in the audit log
            case SAFE -> call -> call.effect() == ToolEffect.READ
                    ? policy.decide(call)
                    : policy.decide(call)
                            .orStricter(PolicyDecision.deny("approve-safe",
                                    "only calls that read run here (--approve safe)"));
        };
    }

    /** The policy of a run without an approver and without a kept store: under {@code ALL} calls that ask run. */
    public Policy alone(Policy policy) {
        return this != ALL ? over(policy) : call -> {
            PolicyDecision decided = policy.decide(call);
            return decided.verdict() == Verdict.ASK
                    ? new PolicyDecision(Verdict.ALLOW, decided.rules())
                    : decided;
        };
    }

    /** Says what a person may not expect of this mode. */
    public void tell(Shell shell, Settings settings) {
        if (this == ALL && settings.groups().contains(Settings.COMMANDS)) {
            shell.err().lineOnce("--approve all: commands run unasked too, unless a rule denies them.");
        }
    }

    /** Whether calls that ask wait for a person. */
    public ApprovalMode approvals() {
        return this == ASK || this == ALL ? ApprovalMode.PARK : ApprovalMode.REFUSE;
    }

    /** Whether servers may ask a person; one who is not at the terminal may answer by another command. */
    public boolean asks(Shell shell) {
        return this == ASK || (this == ALL && shell.canAsk());
    }

    /** The answer that the command gives to a call that asks; empty if a person answers. */
    public Optional<ApprovalAnswer> answer() {
        return switch (this) {
            case ASK -> Optional.empty();
            case ALL -> Optional.of(ApprovalAnswer.once());
            case SAFE, NEVER -> Optional.of(ApprovalAnswer.deny("calls that ask are refused in this run"));
        };
    }
}
