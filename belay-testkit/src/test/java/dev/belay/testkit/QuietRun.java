package dev.belay.testkit;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Usage;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.testkit.crash.CrashKit;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.Approval;

/** A program with tests that pass, whose output another test reads. */
final class QuietRun {

    private QuietRun() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            CrashKit.of("charge", () -> {}).only("AFTER effect call/0/attempt/1 STARTED #1").verify();
            return;
        }
        System.out.println(CrashKit.of("charge", () -> {}).interleavings(4).verify());
        CrashKit.inMemory()
                .tools(asking())
                .person(new ScriptedPerson().approve("pay"))
                .call("pay", "{}")
                .interleavings(4)
                .verify();
        System.out.println("killed " + PluginHarness.of(QuietRun::plugin, new OneCall())
                .with(builder -> builder.tools(asking()))
                .person(new ScriptedPerson().approve("pay"))
                .input("Pay.")
                .verify());
    }

    static StaticToolProvider asking() {
        return StaticToolProvider.builder()
                .raw(ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\"}"))
                        .effect(ToolEffect.IDEMPOTENT)
                        .approval(Approval.ALWAYS), (in, context) -> "paid")
                .build();
    }

    static PluginFactory plugin() {
        return new PluginFactory() {

            @Override
            public String id() {
                return "nothing";
            }

            @Override
            public SessionPlugin build(PluginSession session) {
                return SessionPlugin.NONE;
            }
        };
    }

    /** Calls {@code pay} once in each turn. */
    static final class OneCall implements Model {

        @Override
        public String id() {
            return "one-call";
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            return request.messages().getLast() instanceof Message.ToolMessage
                    ? new ModelResponse(Message.assistant("done"), FinishReason.STOP, Usage.NONE, id(), "")
                    : new ModelResponse(Message.assistant(new CallPart("a", "pay", "{}")),
                            FinishReason.TOOL_CALLS,
                            Usage.NONE, id(), "");
        }
    }
}
