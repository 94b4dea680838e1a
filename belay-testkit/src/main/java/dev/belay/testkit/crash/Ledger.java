package dev.belay.testkit.crash;

import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.IdempotencyKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Records the work of bodies outside the processes that die. Thread-safe. */
final class Ledger {

    private final Map<String, Entry> entries = new TreeMap<>();
    private final Map<CompletionKey, String> keys = new LinkedHashMap<>();
    private final Set<String> tools = new HashSet<>();
    private final Set<String> withheld = new HashSet<>();
    private int running;

    /**
     * One piece of work.
     *
     * @param what a tool, or a step of one
     * @param effect how often it may run
     * @param runs how often it ran
     */
    record Entry(String what, ToolEffect effect, int runs) {}

    /** The body of a tool runs, or resumes. */
    synchronized void runs(String tool) {
        tools.add(tool);
    }

    /** A person does not let a call of a tool run. */
    synchronized void withheld(String tool) {
        withheld.add(tool);
    }

    /** Whether a person did not let a call of a tool run. */
    synchronized boolean isWithheld(String tool) {
        return withheld.contains(tool);
    }

    /** Whether the body of a tool ever ran. */
    synchronized boolean hasRun(String tool) {
        return tools.contains(tool);
    }

    /** How often work of a tool ran at most under one key. */
    synchronized int mostRuns(String tool) {
        return entries.values()
                .stream()
                .filter(entry -> entry.what.endsWith("tool " + tool))
                .mapToInt(Entry::runs)
                .max()
                .orElse(0);
    }

    /** A body begins. */
    synchronized void begins(IdempotencyKey key, String what, ToolEffect effect) {
        entries.merge(key.value(), new Entry(what, effect, 1),
                (known, one) -> new Entry(known.what, known.effect, known.runs + 1));
        running++;
    }

    /** A body ends, normally or not. */
    synchronized void ends() {
        running--;
    }

    /** Whether a body runs now, in a living or a dead process. */
    synchronized boolean isBusy() {
        return running > 0;
    }

    /** A key was handed out, for a tool or an event. */
    synchronized void handedOut(CompletionKey key, String label) {
        keys.put(key, label);
    }

    synchronized List<CompletionKey> keys(String label) {
        return keys.entrySet()
                .stream()
                .filter(one -> one.getValue().equals(label))
                .map(Map.Entry::getKey)
                .toList();
    }

    synchronized Map<String, Entry> entries() {
        return new LinkedHashMap<>(entries);
    }

    synchronized List<String> labels() {
        return new ArrayList<>(keys.values());
    }
}
