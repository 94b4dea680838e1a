package dev.belay.schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Finds what was probably meant by a name that does not exist. Case, {@code -} and {@code _} do not count; swapped neighbours
 * are one mistake.
 */
public final class NearestNames {

    /** Longer names are not typed by hand, and the cost grows with the square. */
    private static final int LONGEST = 200;
    /** Table cells filled per question; about 20 ms, enough for a thousand names of a hundred characters. */
    private static final long MOST_CELLS = 10_000_000;

    private NearestNames() {}

    /**
     * Lists the known names nearest to a wanted one, nearest first, ties in the given order. A name is near if about two
     * thirds of it are right.
     *
     * @param wanted the name that was not found; over 200 characters there is no answer
     * @param known the names to choose from; those over 200 characters are passed over
     * @param atMost how many to return
     */
    public static List<String> of(String wanted, Collection<String> known, int atMost) {
        if (wanted.length() > LONGEST || atMost <= 0) {
            return List.of();
        }
        String plainWanted = plain(wanted);
        List<Candidate> near = new ArrayList<>();
        long cells = 0;
        for (String name : known) {
            if (name.length() > LONGEST) {
                continue;
            }
            String plainName = plain(name);
            int allowed = (Math.max(plainWanted.length(), plainName.length()) + 1) / 3;
            if (Math.abs(plainWanted.length() - plainName.length()) > allowed) {
                continue;
            }
            cells += (long) plainWanted.length() * plainName.length();
            if (cells > MOST_CELLS) {
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
