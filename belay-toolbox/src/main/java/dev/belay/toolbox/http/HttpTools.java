package dev.belay.toolbox.http;

import dev.belay.json.Json;
import dev.belay.schema.Description;
import dev.belay.schema.Length;
import dev.belay.schema.Shown;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.option.BehaviorHints;
import dev.belay.tool.option.OutputBudget;
import dev.belay.tool.option.Timeouts;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code http_get}: one web page, as text. Sends no cookies, no credentials and no header from a model. Thread-safe.
 */
public final class HttpTools implements ToolProvider {

    private static final OutputBudget BUDGET = new OutputBudget(32 << 10, 1000, OutputBudget.Keep.HEAD);
    private static final Pattern TEXT = Pattern.compile(
            "text/.*|application/(json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-www-form-urlencoded|.*\\+(json|xml|yaml))");
    private static final Set<String> HTML = Set.of("text/html", "application/xhtml+xml");
    private static final Pattern CHARSET = Pattern.compile("charset\\s*=\\s*\"?([^\\s\";]+)",
            Pattern.CASE_INSENSITIVE);
    private static final Duration SLACK = Duration.ofSeconds(5);
    private static final long POLL_MILLIS = 100;

    private final HttpRules rules;
    private final ThreadFactory threads = Thread.ofVirtual().factory();
    private final StaticToolProvider tools;

    @Tool(effect = ToolEffect.READ, tags = "network")
    @Description("Reads a page of the web: a first line with status, type and address, then the body. Of HTML it reads the main content as text, "
            + "with numbered links at the end. A redirect is not followed: the answer says where it leads.")
    record HttpGet(
            @Description("address beginning with https:// or http://") @Length(min = 1, max = 8192) String url,
            @Description("true for HTML as it is; default false") @Nullable Boolean raw)
            implements
                ToolInput<String> {}

    private HttpTools(HttpRules rules) {
        this.rules = rules;
        tools = StaticToolProvider.builder()
                .tool(ToolDefinition.of(HttpGet.class)
                        .budget(BUDGET)
                        .timeouts(new Timeouts(rules.most().plus(SLACK), null))
                        .hints(new BehaviorHints(true, false, true, true))
                        .preview(in -> "reads "
                                + Shown.inLine(in.get("url").orElseThrow().asString(), Integer.MAX_VALUE)),
                        HttpGet.class, this::get)
                .build();
    }

    /** Pages under these rules. */
    public static HttpTools of(HttpRules rules) {
        return new HttpTools(rules);
    }

    @Override
    public List<ToolDefinition> definitions() {
        return tools.definitions();
    }

    /** Puts the address into its one spelling, so that rules, a person and the request mean the same. */
    @Override
    public PrepareCall.Prepared prepare(PrepareCall call) {
        String url = call.arguments().get("url").orElseThrow().asString();
        String spelled = Target.of(url, rules).shown();
        return spelled.equals(url)
                ? call.unchanged()
                : call.replace(respelled(call.arguments(), spelled));
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        return tools.execute(call);
    }

    private static Json respelled(Json arguments, String url) {
        return Json.write(out -> {
            out.beginObject().name("url").value(url);
            arguments.get("raw").ifPresent(raw -> out.name("raw").value(raw));
            out.endObject();
        });
    }

    private String get(HttpGet in, ToolContext context) throws Exception {
        Exchange exchange = new Exchange(rules);
        AtomicReference<Exchange.Page> page = new AtomicReference<>();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = threads.newThread(() -> {
            try {
                page.set(exchange.run(in.url()));
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        thread.start();
        try {
            await(thread, in.url(), context.cancellation());
        } finally {
            exchange.stop();
        }
        Exchange.Page read = page.get();
        if (read == null) {
            throw fault(in.url(), thrown.get());
        }
        return rules.shown(worded(read, Boolean.TRUE.equals(in.raw())));
    }

    private void await(Thread thread, String url, Cancellation cancellation) throws InterruptedException {
        long end = System.nanoTime() + rules.most().toNanos();
        while (!thread.join(Duration.ofMillis(POLL_MILLIS))) {
            cancellation.check();
            if (System.nanoTime() - end > 0) {
                throw HttpRefusal.timedOut(url, rules.most());
            }
        }
    }

    private static Exception fault(String url, @Nullable Throwable thrown) {
        return switch (thrown) {
            case IOException io -> HttpRefusal.failed(url, io);
            case Exception e -> e;
            case Error e -> throw e;
            case null, default -> new IllegalStateException("the exchange ended without an answer", thrown);
        };
    }

    private static String worded(Exchange.Page page, boolean raw) {
        PageAnswer answer = page.answer();
        String url = page.from().shown();
        String location = answer.header("location").orElse("");
        if (isRedirect(answer.status()) && !location.isBlank()) {
            return "HTTP " + answer.status() + " " + Shown.inLine(url, 2000) + "\n\n"
                    + page.from()
                            .ledTo(location)
                            .map(next -> "The page is at " + Shown.inLine(next, 8192)
                                    + "\nNothing was read there: call http_get with that address if you need it.\n")
                            .orElseGet(() -> "The server leads to " + Shown.inLine(location, 2000)
                                    + ", which is no address of a page.\n");
        }
        String type = answer.header("content-type").orElse("");
        String encoding = answer.header("content-encoding").orElse("identity");
        if (!encoding.equalsIgnoreCase("identity")) {
            throw HttpRefusal.badAnswer(url, "it is encoded as " + Shown.inLine(encoding, 50));
        }
        String media = type.replaceAll(";.*", "").strip().toLowerCase(Locale.ROOT);
        if (answer.body().length > 0
                && (media.isEmpty() ? hasNul(answer.body()) : !TEXT.matcher(media).matches())) {
            throw HttpRefusal.notText(media.isEmpty() ? "of no type" : media, url);
        }
        StringBuilder out = new StringBuilder("HTTP ").append(answer.status()).append(' ');
        out.append(Shown.inLine(type, 100)).append(type.isEmpty() ? "" : " ").append(Shown.inLine(url, 2000));
        out.append("\n\n")
                .append(HTML.contains(media) && !raw
                        ? PageText.of(answer.body(), charset(type).map(Charset::name).orElse(null), url)
                        : new String(answer.body(), charset(type).orElse(StandardCharsets.UTF_8)));
        if (answer.cut()) {
            out.append("\n[cut after ").append(answer.body().length).append(" bytes; the page is longer]\n");
        }
        return out.toString();
    }

    private static boolean isRedirect(int status) {
        return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    }

    private static boolean hasNul(byte[] bytes) {
        for (byte b : bytes) {
            if (b == 0) {
                return true;
            }
        }
        return false;
    }

    private static Optional<Charset> charset(String type) {
        Matcher named = CHARSET.matcher(type);
        try {
            return named.find() ? Optional.of(Charset.forName(named.group(1))) : Optional.empty();
        } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
            return Optional.empty();
        }
    }
}
