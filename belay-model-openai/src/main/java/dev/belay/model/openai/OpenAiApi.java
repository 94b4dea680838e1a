package dev.belay.model.openai;

/** Which of OpenAI's two protocols a server is asked in. */
public enum OpenAiApi {
    /** {@code /chat/completions}: what nearly every server speaks, Ollama, vLLM, llama.cpp, LM Studio and OpenRouter among them. */
    CHAT_COMPLETIONS,
    /** {@code /responses}: OpenAI's newer one, which keeps the reasoning of its models from one request to the next. */
    RESPONSES
}
