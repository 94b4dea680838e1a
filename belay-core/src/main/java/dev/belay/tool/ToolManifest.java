package dev.belay.tool;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.tool.declare.ToolName;
import dev.belay.tool.option.Approval;
import dev.belay.tool.option.ArgumentProjection;
import dev.belay.tool.option.BehaviorHints;
import dev.belay.tool.option.DefinitionChange;
import dev.belay.tool.option.ExclusiveTemplate;
import dev.belay.tool.option.OnDoubt;
import dev.belay.tool.option.OutputBudget;
import dev.belay.tool.option.RetryPolicy;
import dev.belay.tool.option.Scheduling;
import dev.belay.tool.option.Timeouts;
import dev.belay.tool.option.Visibility;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The light half of a definition: everything declared but the schemas. Data only, cheap to list and to compare.
 *
 * @param id the authority's name
 * @param name what the model says
 * @param title a name for people, or empty
 * @param description what it does, for the model
 * @param effect what a call does to the world
 * @param resumable whether the body may be entered again
 * @param scheduling when it runs within a batch
 * @param exclusive resource key, or null
 * @param timeouts how long a call may take
 * @param retry how often an attempt may be repeated
 * @param mayDefer whether a body may park
 * @param approval whether it asks a person
 * @param budget how much output is shown, or null for the session's
 * @param examples example arguments
 * @param tags words for rules and searches
 * @param resident whether it is in the catalog from the start
 * @param visibility who may see it
 * @param version the author's version
 * @param target hash of the program that calls start, or of the server that they reach; empty if they do neither
 * @param onDefinitionChanged what happens to a waiting call when the definition changed
 * @param onDoubt what happens to a call that may have happened
 * @param argumentProjection what code mode does with references
 * @param hints what it says about itself in MCP's words
 * @param defaultOn whether a toolset offers it by default
 */
public record ToolManifest(ToolId id, String name, String title, String description, ToolEffect effect,
        boolean resumable, Scheduling scheduling, @Nullable ExclusiveTemplate exclusive, Timeouts timeouts,
        RetryPolicy retry, boolean mayDefer, Approval approval, @Nullable OutputBudget budget,
        List<Json> examples,
        List<String> tags, boolean resident, Visibility visibility, int version, String target,
        DefinitionChange onDefinitionChanged, OnDoubt onDoubt, ArgumentProjection argumentProjection,
        BehaviorHints hints,
        boolean defaultOn) {

    /** Checks the name and the retries ({@code retry_not_allowed}), and copies the lists. */
    public ToolManifest {
        ToolName.check(name);
        examples = List.copyOf(examples);
        tags = List.copyOf(tags);
        if (version < 1) {
            throw new IllegalArgumentException(
                    "version of tool " + name + " must be at least 1, found " + version);
        }
        if (retry.attempts() > 1 && effect == ToolEffect.ONCE && !resumable) {
            throw new BelayException("retry_not_allowed", "tool " + name + " declares " + retry.attempts()
                    + " attempts but effect ONCE, which is never repeated; declare READ or IDEMPOTENT");
        }
    }
}
