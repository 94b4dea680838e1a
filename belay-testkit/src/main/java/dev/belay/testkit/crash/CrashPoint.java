package dev.belay.testkit.crash;

import dev.belay.runtime.store.journal.JournalProbe.Moment;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The point at which a process dies.
 *
 * @param moment before, inside or after the write
 * @param write the name of the write
 * @param occurrence the number of the write among those of its name, from 1
 */
record CrashPoint(Moment moment, String write, int occurrence) {

    private static final Pattern TEXT = Pattern.compile("(BEFORE|INSIDE|AFTER) (.+) #([0-9]{1,9})");

    static CrashPoint parse(String text) {
        Matcher found = TEXT.matcher(text);
        if (!found.matches()) {
            throw new IllegalArgumentException("a point is written as a violation shows it, such as"
                    + " \"AFTER effect call/0/attempt/1 STARTED #1\" or \"seed 42\", found \"" + text + "\"");
        }
        return new CrashPoint(Moment.valueOf(found.group(1)), found.group(2),
                Integer.parseInt(found.group(3)));
    }

    /** The form that a violation shows and {@link CrashKit#only} takes. */
    @Override
    public String toString() {
        return moment + " " + write + " #" + occurrence;
    }
}
