package dev.belay.model.openai;

/** Selects one of OpenAI's two protocols. */
public enum OpenAiApi {
    /** {@code /chat/completions}: supported by nearly every server, such as Ollama, vLLM, llama.cpp, LM Studio and OpenRouter. */
    CHAT_COMPLETIONS,
    /** {@code /responses}: OpenAI's newer protocol, which keeps the reasoning of a model from one request to the next. */
    RESPONSES
}
