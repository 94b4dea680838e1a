package dev.belay.toolbox.file;

import dev.belay.schema.Shown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The host's rules for files; a model cannot change them. Immutable: each method returns other rules.
 *
 * @param secrets names that are refused, as patterns with {@code *} and {@code ?}, in any letter case; {@code .config/gh} is a
 *        name below another
 * @param exceptions names that are not refused although a pattern matches them
 * @param fixed files that are read and never written, because they decide what the model may do or what is started: a name such as
 *        {@code belay.toml} counts in every directory, a path with a slash from the workspace on
 * @param searchTime the time limit of {@code glob} and {@code grep}, and of {@code read_file} for what is before the page
 * @param largestEdit the size in bytes up to which a file can be edited or replaced
 * @param marks whether control characters and the like in the text of files are shown as {@code <U+001B>}
 */
public record FileRules(List<String> secrets, List<String> exceptions, List<String> fixed,
        Duration searchTime, int largestEdit, boolean marks) {

    /**
     * Names that usually hold secrets or data that only a program should change: settings with passwords, private keys, password
     * stores, credentials of clouds and tools, browsers, wallets, the histories of shells, git and Belay.
     */
    public static final List<String> SECRETS = UsualSecrets.ALL;

    /** Source code whose names look like those of credentials, such as {@code CredentialsProvider.java}. */
    public static final List<String> EXCEPTIONS = UsualSecrets.EXCEPTIONS;

    /** The settings of the command, which choose tools, rules and programs. */
    public static final List<String> FIXED = List.of("belay.toml");

    /**
     * The default rules: {@link #SECRETS} without {@link #EXCEPTIONS}, and {@link #FIXED}; 20 seconds, because a model should narrow a search rather than wait for it; 8 MiB,
     * because an edit holds the file in memory three times; marks, because a character that cannot be seen can mislead.
     */
    public static final FileRules DEFAULT = new FileRules(SECRETS, EXCEPTIONS, FIXED,
            Duration.ofSeconds(20), 8 << 20, true);

    /** Copies the lists and refuses bounds that are not positive. */
    public FileRules {
        secrets = List.copyOf(secrets);
        exceptions = List.copyOf(exceptions);
        fixed = List.copyOf(fixed);
        if (!searchTime.isPositive()) {
            throw new IllegalArgumentException("searchTime must be positive, found " + searchTime);
        }
        if (largestEdit < 1) {
            throw new IllegalArgumentException("largestEdit must be at least 1, found " + largestEdit);
        }
    }

    /** Refuses more names. */
    public FileRules alsoSecret(String... patterns) {
        return new FileRules(joined(secrets, patterns), exceptions, fixed, searchTime, largestEdit, marks);
    }

    /** Does not refuse these names, such as {@code .env.example}. */
    public FileRules notSecret(String... patterns) {
        return new FileRules(secrets, joined(exceptions, patterns), fixed, searchTime, largestEdit, marks);
    }

    /** Refuses to write more files, such as {@code ./deploy.sh}; they may be read. */
    public FileRules alsoFixed(String... files) {
        return new FileRules(secrets, exceptions, joined(fixed, files), searchTime, largestEdit, marks);
    }

    /** With another limit for searches. */
    public FileRules searchTime(Duration time) {
        return new FileRules(secrets, exceptions, fixed, time, largestEdit, marks);
    }

    /** With another limit for files that are edited. */
    public FileRules largestEdit(int bytes) {
        return new FileRules(secrets, exceptions, fixed, searchTime, bytes, marks);
    }

    /** Shows the text of files as it is. Names in lists are marked all the same: they must stay on their lines. */
    public FileRules rawText() {
        return new FileRules(secrets, exceptions, fixed, searchTime, largestEdit, false);
    }

    String shown(String text) {
        return marks ? Shown.output(text) : text;
    }

    private static List<String> joined(List<String> known, String... more) {
        List<String> all = new ArrayList<>(known);
        all.addAll(List.of(more));
        return all;
    }
}
