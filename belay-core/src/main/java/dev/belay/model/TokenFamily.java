package dev.belay.model;

import dev.belay.model.form.TextTokens;
import java.util.Locale;

/**
 * Models that cut texts into tokens alike, for estimates without a tokenizer. How near an estimate comes, and what it was measured against,
 * stands in {@code docs/history.md}.
 */
public enum TokenFamily {
    /** OpenAI since GPT-4o ({@code o200k_base}). Also what is taken for models of which nothing is known. */
    O200K(1_000, 750),
    /** OpenAI up to GPT-4 ({@code cl100k_base}), and the open models whose vocabulary was made from it, such as Llama 3 and Qwen. */
    CL100K(1_000, 1_080),
    /**
     * Anthropic. Fitted to the tokenizer that was published for Claude 1 and 2; those of later models are not public, and the reported usage
     * corrects the estimate.
     */
    ANTHROPIC(1_100, 1_000);

    /** What stands around the name, the description and the schema of a tool. */
    private static final long AROUND_TOOL = 12;

    private final long alphabetic;
    private final long wide;

    TokenFamily(long alphabetic, long wide) {
        this.alphabetic = alphabetic;
        this.wide = wide;
    }

    /** The family of a model, by its {@linkplain Model#id name}. */
    public static TokenFamily of(String model) {
        String name = model.toLowerCase(Locale.ROOT);
        if (name.contains("claude")) {
            return ANTHROPIC;
        }
        boolean fourth = name.contains("gpt-4") && !name.contains("gpt-4o") && !name.contains("gpt-4.");
        boolean older = fourth || name.contains("gpt-3") || name.contains("llama") || name.contains("qwen");
        return older ? CL100K : O200K;
    }

    /** About how many tokens a text is. Linear in its length. */
    public long tokens(String text) {
        return tokens(TextTokens.of(text));
    }

    /** About how many tokens a message is. Linear in its length. */
    public long tokens(Message message) {
        return tokens(TextTokens.of(message));
    }

    /** About how many tokens a tool is that a request offers. */
    public long tokens(ToolSpec tool) {
        return tokens(tool.name()) + tokens(tool.description()) + tokens(tool.inputSchema().text())
                + AROUND_TOOL;
    }

    /** About how many tokens a model reads in a request: messages, tools and the form of the answer. */
    public long tokens(ModelRequest request) {
        long sum = MessageLog.of(request.messages()).tokens(this);
        for (ToolSpec tool : request.tools()) {
            sum += tokens(tool);
        }
        return request.output() instanceof OutputSpec.Schema form ? sum + tokens(form.schema().text()) : sum;
    }

    long tokens(TextTokens counted) {
        return (counted.alphabetic() * alphabetic / 1_000 + counted.wide() * wide + 999) / 1_000;
    }
}
