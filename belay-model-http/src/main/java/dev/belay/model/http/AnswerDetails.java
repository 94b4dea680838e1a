package dev.belay.model.http;

import dev.belay.json.Json;
import dev.belay.model.Usage;
import java.util.List;
import java.util.Map;

/**
 * What an answer holds besides its parts, read from the provider's own form of the message: uses of the provider's tools,
 * citations, why it was refused, and what each model has cost if more than one took part. {@code OpenAiModel.details} and
 * {@code AnthropicModel.details} read them.
 *
 * @param toolUses in the order of the answer
 * @param citations in the order of the answer
 * @param refusalCategory the provider's word for the kind of a refusal; empty if it named none
 * @param usageByModel by the provider's names of the models; empty if one model answered alone
 */
public record AnswerDetails(List<ToolUse> toolUses, List<Citation> citations, String refusalCategory,
        Map<String, Usage> usageByModel) {

    /** Nothing besides the parts. */
    public static final AnswerDetails NONE = new AnswerDetails(List.of(), List.of(), "", Map.of());

    /** Copies the lists. */
    public AnswerDetails {
        toolUses = List.copyOf(toolUses);
        citations = List.copyOf(citations);
        usageByModel = Map.copyOf(usageByModel);
    }

    /**
     * A use of a tool that the provider runs.
     *
     * @param tool the provider's name of the tool, such as {@code web_search}
     * @param id the provider's id of the use; empty if it has none
     * @param exact what the provider wrote about it: the use, then its result if that stands apart
     */
    public record ToolUse(String tool, String id, List<Json> exact) {

        /** Copies the list. */
        public ToolUse {
            exact = List.copyOf(exact);
        }
    }

    /**
     * A source that the answer cites.
     *
     * @param source an address, or the provider's id of a file or document; empty if it has neither
     * @param title of the source; empty if it has none
     * @param quote the words of the source; empty if the provider sends none
     * @param exact the citation as the provider wrote it, with its place in the text
     */
    public record Citation(String source, String title, String quote, Json exact) {}
}
