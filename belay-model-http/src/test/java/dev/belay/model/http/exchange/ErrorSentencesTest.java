package dev.belay.model.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.ModelException;
import dev.belay.model.ModelException.Kind;
import dev.belay.model.http.BaseUrl;
import dev.belay.model.http.WireRequest;
import dev.belay.schema.KnownSecrets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The refusals of servers in use, in their own words, and what a caller hears. */
class ErrorSentencesTest {

    private final ErrorSentences sentences = new ErrorSentences(BaseUrl.of("http://127.0.0.1:11434/v1"),
            new WireRequest("/chat/completions", Json.EMPTY_OBJECT, "tiny", true), "set THE_KEY",
            KnownSecrets.NONE);

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            401 | {"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}} | AUTHENTICATION
            401 | {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}                      | AUTHENTICATION
            400 | {"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT","type":"authentication_error"}} | AUTHENTICATION
            403 | {"type":"error","error":{"type":"permission_error","message":"not allowed"}}                                | PERMISSION
            402 | {"error":{"message":"Insufficient credits","code":402}}                                                     | PERMISSION
            429 | {"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}} | PERMISSION
            400 | {"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}        | PERMISSION
            404 | {"error":{"message":"The model `x` does not exist","type":"invalid_request_error","code":"model_not_found"}} | UNKNOWN_MODEL
            404 | {"error":{"message":"model \\"tiny\\" not found, try pulling it first","type":"api_error"}}                  | UNKNOWN_MODEL
            404 | {"type":"error","error":{"type":"not_found_error","message":"model: claude-x"}}                             | UNKNOWN_MODEL
            404 | {"object":"error","message":"The model `tiny` does not exist.","type":"NotFoundError","code":404}            | UNKNOWN_MODEL
            400 | {"error":{"message":"tiny is not a valid model ID","code":400}}                                             | UNKNOWN_MODEL
            404 | 404 page not found                                                                                          | INVALID_REQUEST
            400 | {"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}} | CONTEXT_TOO_LONG
            400 | {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}} | CONTEXT_TOO_LONG
            400 | {"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}} | CONTEXT_TOO_LONG
            413 | {"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}          | CONTEXT_TOO_LONG
            400 | {"error":{"message":"registry.ollama.ai/library/tiny does not support tools","type":"api_error"}}           | TOOLS_UNSUPPORTED
            400 | {"object":"error","message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"} | TOOLS_UNSUPPORTED
            500 | {"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}                  | TOOLS_UNSUPPORTED
            404 | {"error":{"message":"No endpoints found that support tool use","code":404}}                                 | TOOLS_UNSUPPORTED
            400 | {"error":{"code":"content_filter","message":"The response was filtered"}}                                   | CONTENT_FILTERED
            400 | {"error":{"message":"Unknown parameter: 'foo'","type":"invalid_request_error"}}                             | INVALID_REQUEST
            422 | {"detail":[{"loc":["body"],"msg":"field required"}]}                                                        | INVALID_REQUEST
            429 | {"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}                   | RATE_LIMITED
            529 | {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}                                 | UNAVAILABLE
            503 | {"error":{"message":"Loading model","type":"unavailable_error","code":503}}                                 | UNAVAILABLE
            500 | {"error":"llama runner process has terminated"}                                                             | UNAVAILABLE
            502 | Bad Gateway                                                                                                 | UNAVAILABLE
            408 | {"error":"timed out"}                                                                                       | UNAVAILABLE
            407 | proxy authentication required                                                                               | AUTHENTICATION
            """)
    void everyRefusalHasAKind(int status, String body, Kind kind) {
        ModelException failure = sentences.status(status, body, "");
        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure).hasMessageContaining("status " + status);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            overloaded_error      |                         | UNAVAILABLE
            rate_limit_error      |                         | RATE_LIMITED
            api_error             |                         | UNAVAILABLE
            error                 | server_error            | UNAVAILABLE
            error                 | rate_limit_exceeded     | RATE_LIMITED
            error                 | context_length_exceeded | CONTEXT_TOO_LONG
            invalid_request_error |                         | INVALID_REQUEST
            authentication_error  |                         | AUTHENTICATION
            error                 | 502                     | UNAVAILABLE
            error                 | 429                     | RATE_LIMITED
            something new         |                         | UNAVAILABLE
            """)
    void everyFailureInsideAnAnswerHasAKind(String type, @Nullable String code, Kind kind) {
        ProviderError error = new ProviderError(type, code == null ? "" : code, "zebra");
        assertThat(sentences.inAnswer(error).kind()).isEqualTo(kind);
        assertThat(sentences.inAnswer(error)).hasMessageContaining("zebra");
    }

    @Test
    void sentencesSayWhatToDo() {
        assertThat(sentences.status(401, "", "")).hasMessageContaining("set THE_KEY");
        assertThat(sentences.status(404, "{\"error\":\"model not found\"}", ""))
                .hasMessageContaining("\"tiny\"")
                .hasMessageContaining("http://127.0.0.1:11434/v1/models");
        assertThat(sentences.status(404, "page not found", "")).hasMessageContaining("/v1");
        assertThat(sentences.status(400, "{\"error\":\"tiny does not support tools\"}", ""))
                .hasMessageContaining("text envelope");
        assertThat(sentences.status(308, "", "https://elsewhere"))
                .hasMessageContaining("\"https://elsewhere\"");
    }

    @Test
    void toolsAreBlamedOnlyIfOffered() {
        ErrorSentences bare = new ErrorSentences(BaseUrl.of("http://127.0.0.1:1"),
                new WireRequest("/x", Json.EMPTY_OBJECT, "tiny", false), "", KnownSecrets.NONE);
        assertThat(bare.status(400, "{\"error\":\"tiny does not support tools\"}", "").kind())
                .isEqualTo(Kind.INVALID_REQUEST);
    }

    @Test
    void longAndUnprintableWordsAreCut() {
        String message = sentences.status(400, "bad\u0000\n" + "x".repeat(10_000), "").getMessage();
        assertThat(message).hasSizeLessThan(600).doesNotContain("\u0000").doesNotContain("\n");
    }
}
