package dev.belay.runtime.operate;

import dev.belay.runtime.policy.ApprovalRequest;
import java.time.Instant;

/**
 * A call that waits for a person's word.
 *
 * @param keyId names the wait; an answer names it, and the digest of the request
 * @param since when it was asked
 * @param expires when its call fails without an answer
 * @param request what is asked, and what may be answered
 */
public record OpenApproval(String keyId, Instant since, Instant expires, ApprovalRequest request) {}
