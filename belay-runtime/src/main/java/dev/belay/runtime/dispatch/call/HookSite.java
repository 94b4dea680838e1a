package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.dispatch.record.RecordedHooks;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.TurnControl;
import java.util.ArrayList;
import java.util.List;

/**
 * What the hooks of one call leave behind, in one entry of its scope: each record of the call takes what no earlier one holds. The owner
 * is told of it in the order hooks before, body, hooks after. Confined to the call's thread.
 */
final class HookSite {

    private final CallOwner owner;
    private final CallReference call;
    private final boolean looks;
    private final Part before = new Part("hooks");
    private final Part after = new Part("looked");
    private final List<Json> fresh = new ArrayList<>(0);
    private List<Json> body = List.of();

    /** What hooks on one side of the body have left. */
    private static final class Part {

        private final String field;
        private final List<Json> all = new ArrayList<>(0);
        private int recorded;

        Part(String field) {
            this.field = field;
        }

        List<Json> open() {
            return all.subList(recorded, all.size());
        }
    }

    /**
     * For one call.
     *
     * @param looks whether a hook looks at its outcome; its records say so until it has ended
     */
    HookSite(CallOwner owner, CallReference call, boolean looks) {
        this.owner = owner;
        this.call = call;
        this.looks = looks;
    }

    /** What the body has changed, for hooks that look at its outcome. */
    void body(List<Json> changes) {
        body = changes;
    }

    /** The site for hooks before the body of a tool. */
    CallHooks.Site before(ToolDefinition definition) {
        return new At(definition, before);
    }

    /** The site for hooks after it. */
    CallHooks.Site after(ToolDefinition definition) {
        return new At(definition, after);
    }

    /** A site for hooks that look once more and must change nothing: what they leave is dropped. */
    CallHooks.Site inspecting(ToolDefinition definition) {
        return new At(definition, new Part("dropped"));
    }

    private final class At implements CallHooks.Site {

        private final ToolDefinition definition;
        private final Part part;

        At(ToolDefinition definition, Part part) {
            this.definition = definition;
            this.part = part;
        }

        @Override
        public List<Json> left() {
            var all = new ArrayList<>(before.all);
            all.addAll(body);
            all.addAll(after.all);
            return all;
        }

        @Override
        public void leave(Json change) {
            part.all.add(change);
        }

        @Override
        public ToolOutcome completed(Json value) {
            return CallHooks.completed(definition, value);
        }
    }

    /** Writes what no record holds into a start, which may be the last that is known of the call. */
    Json started(Json input) {
        return RecordedHooks.looking(with(input, before), looks);
    }

    /** Takes over what the start of the call holds, because its own process is gone. */
    void restarted(Json input) {
        if (before.all.isEmpty()) {
            before.all.addAll(RecordReader.items(input, before.field));
        }
    }

    /** Writes what no record holds into a record that is about to be written. */
    Json recorded(Json record) {
        Json whole = RecordedHooks.looking(with(with(record, before), after), looks);
        fresh.addAll(before.open());
        fresh.addAll(after.open());
        before.recorded = before.all.size();
        after.recorded = after.all.size();
        return whole;
    }

    /** Takes over what a record holds. */
    Json read(Json record) {
        read(record, before);
        read(record, after);
        return record;
    }

    private static void read(Json record, Part part) {
        part.all.addAll(RecordReader.items(record, part.field));
        part.recorded = part.all.size();
    }

    private static Json with(Json object, Part part) {
        List<Json> open = part.open();
        return open.isEmpty() ? object : Json.write(out -> {
            out.beginObject();
            object.fields().forEach((name, value) -> out.name(name).value(value));
            out.name(part.field).value(Json.array(open)).endObject();
        });
    }

    /** A record was written: tells the owner what is new in it. */
    void told() {
        if (!fresh.isEmpty()) {
            owner.recorded(call, List.copyOf(fresh));
            fresh.clear();
        }
    }

    /** Tells the owner what hooks before the body have left. */
    void leaveBefore() {
        leave(before);
    }

    /** Tells the owner what hooks after the body have left. */
    void leaveAfter() {
        leave(after);
    }

    private void leave(Part part) {
        if (!part.all.isEmpty()) {
            owner.note(call, new Aftermath(TurnControl.GO_ON, List.copyOf(part.all)));
        }
    }
}
