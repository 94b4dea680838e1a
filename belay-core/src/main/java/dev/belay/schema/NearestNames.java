package dev.belay.schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds what was probably meant by a name that does not exist. Case, {@code -} and {@code _} do not count; swapped neighbours
 * are one mistake.
 */
public final class NearestNames {

    /** Longer names are not typed by hand, and the cost grows with the square. */
    private static final int LONGEST = 200;
    /** Table cells filled in all; about 20 ms, enough for a thousand names of a hundred characters. */
    private static final long MOST_CELLS = 10_000_000;
    /** Cells that a question costs before it looks at a name: its caller collects the names. */
    private static final long CELLS_PER_QUESTION = 10_000;

    private long cells = MOST_CELLS;

    /** Starts a series of questions that share one bound on their work. Confined to one thread. */
    public NearestNames() {}

    /**
     * Lists the known names nearest to a wanted one, nearest first, ties in the given order. A name is near if about two
     * thirds of it are right.
     *
     * @param wanted the name that was not found; over 200 characters there is no answer
     * @param known the names to choose from; those over 200 characters are passed over
     * @param atMost how many to return
     */
    public static List<String> of(String wanted, Collection<String> known, int atMost) {
        return new NearestNames().find(wanted, () -> known, atMost);
    }

    /** The name nearest to a wanted one; null if none is near, or if earlier questions have used up the bound. */
    public @Nullable String nearest(String wanted, Supplier<? extends Collection<String>> known) {
        List<String> found = find(wanted, known, 1);
        return found.isEmpty() ? null : found.getFirst();
    }

    private List<String> find(String wanted, Supplier<? extends Collection<String>> known, int atMost) {
        cells -= CELLS_PER_QUESTION;
        if (wanted.length() > LONGEST || atMost <= 0 || cells < 0) {
            return List.of();
        }
        String plainWanted = plain(wanted);
        List<Candidate> near = new ArrayList<>();
        for (String name : known.get()) {
            cells--;
            if (name.length() > LONGEST) {
                continue;
            }
            cells -= name.length();
            String plainName = plain(name);
            int allowed = (Math.max(plainWanted.length(), plainName.length()) + 1) / 3;
            if (Math.abs(plainWanted.length() - plainName.length()) > allowed) {
                continue;
            }
            cells -= (long) plainWanted.length() * plainName.length();
            if (cells < 0) {
                break;
            }
            int distance = distance(plainWanted, plainName);
            if (distance <= allowed) {
                near.add(new Candidate(name, distance));
            }
        }
        return near.stream()
                .sorted(Comparator.comparingInt(Candidate::distance))
                .limit(atMost)
                .map(Candidate::name)
                .toList();
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    /** Damerau-Levenshtein in the variant that edits no part twice. */
    private static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(last[j], row[j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = row;
            row = free;
        }
        return last[b.length()];
    }

    private record Candidate(String name, int distance) {}
}
