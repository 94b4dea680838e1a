package dev.belay.toolset;

import dev.belay.model.ModelEvent;
import dev.belay.tool.ToolFailure;

/** An event of a running step. */
public sealed interface StepEvent {

    /**
     * An event of the model.
     *
     * @param event the event
     */
    record Streamed(ModelEvent event) implements StepEvent {}

    /**
     * The model began a call of a tool that was not offered to it; the call will be an issue.
     *
     * @param index its place among the calls
     * @param name the name that the model said
     * @param failure {@code unknown_tool} or {@code tool_unavailable}
     */
    record NotOffered(int index, String name, ToolFailure failure) implements StepEvent {}

    /**
     * The answer had the wrong shape; the model is told and asked once more. What follows replaces what came before.
     *
     * @param problem what was wrong
     */
    record AskedAgain(String problem) implements StepEvent {}
}
