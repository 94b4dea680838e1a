package dev.belay.runtime.policy;

/** What happens to calls about which a person is to be asked. */
public enum ApprovalMode {
    /** They wait, without a thread, until a person has answered or the request has expired. */
    PARK,
    /** They are refused with {@code approval_denied}: no person can be asked. */
    REFUSE
}
