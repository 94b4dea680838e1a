package dev.belay.mcp;

import java.util.Optional;

/**
 * Answers questions of servers inside this process, such as a terminal or a window. Called on threads of their own, several at once; may
 * block as long as the call may take. The thread is interrupted when the server does not wait for the answer any more: it says so, or its
 * connection is gone. {@link McpPeople} leaves questions to people in any process.
 */
@FunctionalInterface
public interface McpQuestions {

    /**
     * Answers a question.
     *
     * @return empty to leave it to the people who answer what waits: the call parks, if the server speaks 2026-07-28; an older server is
     *         told that the user does not decide
     */
    Optional<McpAnswer> answer(McpQuestion question);
}
