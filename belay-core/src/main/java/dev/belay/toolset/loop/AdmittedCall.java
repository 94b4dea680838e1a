package dev.belay.toolset.loop;

/**
 * A call of a round whose tool was offered and whose arguments fit.
 *
 * @param round the round
 * @param index its place in the message
 * @param entry the tool
 * @param input the decoded input with the nested records around it
 * @param <T> the set
 */
public record AdmittedCall<T>(RoundState round, int index, ToolEntry<T> entry, T input) {

    /** Wraps an input and makes it the input of the call; a nested record may refuse it with an exception of its own. */
    public static <T> AdmittedCall<T> of(RoundState round, int index, ToolEntry<T> entry, Object leaf) {
        var call = new AdmittedCall<>(round, index, entry, entry.wrap(leaf));
        round.input(index, leaf);
        return call;
    }
}
