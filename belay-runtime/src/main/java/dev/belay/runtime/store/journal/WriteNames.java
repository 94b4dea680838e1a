package dev.belay.runtime.store.journal;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.Journal.EffectRow;

/** What a {@link JournalProbe} is told of each write: the same in every journal, so that a crash is found again by its name. */
public final class WriteNames {

    private WriteNames() {}

    /** {@code submit SCOPE}. */
    public static String submit(ScopeId scope) {
        return "submit " + scope;
    }

    /** {@code take SCOPE}: somebody owns it now, or it is stuck. */
    public static String take(ScopeId scope) {
        return "take " + scope;
    }

    /** {@code reenter SCOPE}. */
    public static String reenter(ScopeId scope) {
        return "reenter " + scope;
    }

    /** {@code give-back SCOPE}. */
    public static String giveBack(ScopeId scope) {
        return "give-back " + scope;
    }

    /** {@code effect KEY STATUS}. */
    public static String effect(String key, EffectRow.Status status) {
        return "effect " + key + " " + status;
    }

    /** {@code output HASH}: a large result, in a journal that keeps it before the record that refers to it. */
    public static String output(String hash) {
        return "output " + hash;
    }

    /** {@code keep HASH}: an attachment; its bytes may have been written before. */
    public static String keep(String hash) {
        return "keep " + hash;
    }

    /** {@code hold RESOURCE}: taken without a record. */
    public static String hold(String resource) {
        return "hold " + resource;
    }

    /** {@code release RESOURCE}. */
    public static String release(String resource) {
        return "release " + resource;
    }

    /** {@code park SCOPE}. */
    public static String park(ScopeId scope) {
        return "park " + scope;
    }

    /** {@code end SCOPE}. */
    public static String end(ScopeId scope) {
        return "end " + scope;
    }

    /** {@code stick SCOPE}. */
    public static String stick(ScopeId scope) {
        return "stick " + scope;
    }

    /** {@code resolve WAIT}. */
    public static String resolve(WaitName wait) {
        return "resolve " + wait;
    }

    /** {@code due SCOPE}: a deadline or the time of a parked scope has come. */
    public static String due(ScopeId scope) {
        return "due " + scope;
    }

    /** {@code cancel SCOPE}. */
    public static String cancel(ScopeId scope) {
        return "cancel " + scope;
    }

    /** {@code late KEY}. */
    public static String late(String key) {
        return "late " + key;
    }

    /** {@code retry SCOPE}. */
    public static String retry(ScopeId scope) {
        return "retry " + scope;
    }

    /** {@code abandon SCOPE}. */
    public static String abandon(ScopeId scope) {
        return "abandon " + scope;
    }

    /** {@code rotate-secret}. */
    public static String rotateSecret() {
        return "rotate-secret";
    }

    /** {@code revoke-secret}. */
    public static String revokeSecret() {
        return "revoke-secret";
    }

    /** {@code collect outputs}. */
    public static String collectOutputs() {
        return "collect outputs";
    }

    /** {@code collect effects}. */
    public static String collectEffects() {
        return "collect effects";
    }
}
