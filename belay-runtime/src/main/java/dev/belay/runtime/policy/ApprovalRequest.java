package dev.belay.runtime.policy;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.policy.ApprovalAnswer.Choice;
import dev.belay.tool.ToolEffect;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a person is asked about a call. It is made where the tool is, and stored with the wait, so that a program without the tool can show it
 * and check an answer.
 *
 * @param digest over the form of the tool, the final arguments, the payload and the preview; an answer names it
 * @param call whose approval is asked for
 * @param by why: all rules that ask, of the policy of the agent and of all above
 * @param preview what the tool says it would do, or null
 * @param shown all of it as text, in which every character can be seen
 * @param allowed what may be answered
 * @param schemas what arguments and results must be
 */
public record ApprovalRequest(String digest, Call call, PolicyDecision by, @Nullable String preview,
        String shown,
        Set<Choice> allowed, Schemas schemas) {

    /**
     * A call that asks.
     *
     * @param agent whose policy asks
     * @param chain the session of the call, or that whose call started its process, behind those that it was made by, the topmost first;
     *        empty for calls of the program
     * @param turn its number, 0 for a call of a process or of the program
     * @param id of the call
     * @param tool the name of the tool
     * @param effect what the tool does to the world
     * @param fingerprint of the tool
     * @param arguments the final ones
     * @param payload what the provider froze, or null
     */
    public record Call(String agent, List<String> chain, long turn, String id, String tool, ToolEffect effect,
            String fingerprint, Json arguments, @Nullable Json payload) {

        /** Copies the chain. */
        public Call {
            chain = List.copyOf(chain);
            Objects.requireNonNull(arguments, "arguments");
        }

        /** Whether it is a call of a turn: only those have grants, and are told of changes. */
        public boolean isInTurn() {
            return turn > 0 && !chain.isEmpty();
        }
    }

    /**
     * Schemas, as {@code JsonSchema.kept} writes them.
     *
     * @param input of arguments
     * @param output of results, or null for any
     */
    public record Schemas(Json input, @Nullable Json output) {}

    /** Copies the choices. */
    public ApprovalRequest {
        allowed = Set.copyOf(allowed);
    }

    /**
     * A request for a call.
     *
     * @param again why the person is asked once more, or null
     * @param offered what may be answered; if the call is not shown whole or has no session, approval for further calls is not
     */
    public static ApprovalRequest of(Call call, PolicyDecision by, @Nullable String again,
            @Nullable String preview, Schemas schemas, Set<Choice> offered) {
        var shown = new ShownCall();
        shown.line("tool", call.tool() + " (" + call.effect() + ")");
        shown.line("agent", call.agent());
        if (call.isInTurn()) {
            shown.line("session", call.chain().getLast() + ", turn " + call.turn() + ", call " + call.id());
        }
        if (call.chain().size() > (call.isInTurn() ? 1 : 0)) {
            shown.line(call.isInTurn() ? "made by" : "process started by", String.join(" > ", call.chain()));
        }
        by.rules().forEach(rule -> shown.line("asked by", rule.words()));
        if (again != null) {
            shown.line("asked again", again);
        }
        if (preview != null) {
            shown.block("the tool says", preview);
        }
        shown.values("arguments", call.arguments());
        shown.values("prepared", call.payload());
        Set<Choice> allowed = EnumSet.copyOf(offered);
        if (shown.isFolded() || !call.isInTurn()) {
            allowed.removeAll(EnumSet.of(Choice.TURN, Choice.SESSION));
        }
        return new ApprovalRequest(digest(call.fingerprint(), call.arguments(), call.payload(), preview),
                call,
                by, preview,
                shown.toString(), allowed, schemas);
    }

    /** The digest of a call: equal for calls that would do the same and say the same about it. */
    public static String digest(String fingerprint, Json arguments, @Nullable Json payload,
            @Nullable String preview) {
        var hash = new FramedHash().add("belay-approval-2").add(fingerprint).add(arguments);
        hash = payload == null ? hash.add("none") : hash.add("payload").add(payload);
        return (preview == null ? hash.add("none") : hash.add("preview").add(preview)).hex();
    }

    /** The stored form, without the arguments and the payload, which stand beside it. */
    public Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("digest").value(digest).name("agent").value(call.agent());
            out.name("chain").value(Json.array(call.chain().stream().map(Json::string).toList()));
            out.name("turn").value(call.turn()).name("id").value(call.id()).name("tool").value(call.tool());
            out.name("effect").value(call.effect().name()).name("fingerprint").value(call.fingerprint());
            out.name("by").value(DecidingRule.toJson(by.rules()));
            if (preview != null) {
                out.name("preview").value(preview);
            }
            out.name("shown").value(shown);
            out.name("allowed")
                    .value(Json
                            .array(allowed.stream().sorted().map(one -> Json.string(one.name())).toList()));
            out.name("input").value(schemas.input());
            if (schemas.output() != null) {
                out.name("output").value(schemas.output());
            }
            out.endObject();
        });
    }

    /** The request of its stored form, and of what stands beside it. */
    public static ApprovalRequest of(Json stored, Json arguments, @Nullable Json payload) {
        Set<Choice> allowed = EnumSet.noneOf(Choice.class);
        stored.get("allowed")
                .orElseThrow()
                .items()
                .forEach(one -> allowed.add(Choice.valueOf(one.asString())));
        return new ApprovalRequest(text(stored, "digest"),
                new Call(text(stored, "agent"),
                        stored.get("chain").orElseThrow().items().stream().map(Json::asString).toList(),
                        stored.get("turn").orElseThrow().asLong(), text(stored, "id"), text(stored, "tool"),
                        ToolEffect.valueOf(text(stored, "effect")), text(stored, "fingerprint"), arguments,
                        payload),
                new PolicyDecision(PolicyDecision.Verdict.ASK,
                        DecidingRule.of(stored.get("by").orElseThrow())),
                stored.get("preview").map(Json::asString).orElse(null), text(stored, "shown"), allowed,
                new Schemas(stored.get("input").orElseThrow(), stored.get("output").orElse(null)));
    }

    private static String text(Json stored, String field) {
        return stored.get(field).orElseThrow().asString();
    }
}
