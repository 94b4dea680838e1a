package dev.belay.testkit.crash;

import dev.belay.runtime.store.journal.JournalProbe.Moment;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a process dies.
 *
 * @param moment where in the write
 * @param write which write
 * @param occurrence which one of that name, from 1
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

    /** As it is written in a violation, and given to {@link CrashKit#only}. */
    @Override
    public String toString() {
        return moment + " " + write + " #" + occurrence;
    }
}
