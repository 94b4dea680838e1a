package dev.belay.store.jdbc.file;

import dev.belay.runtime.store.journal.Inconsistency;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a database holds beside rows: tables, indexes, triggers, views. A trigger can change or drop what the store writes, so what differs
 * from what the store makes is told. It is never refused: people keep reports beside their data.
 */
public final class SchemaObjects {

    private static final Logger LOG = LoggerFactory.getLogger(SchemaObjects.class);

    private static final Pattern ODD = Pattern.compile("[^\\x21-\\x7e]+");
    private static final int LONGEST = 500;

    private SchemaObjects() {}

    /** Logs what differs in a database that is opened. */
    public static void warn(String database, List<Inconsistency> altered) {
        if (!altered.isEmpty()) {
            LOG.warn(
                    "{} is not as Belay made it: {}; a trigger can change what is written, and 'belay store check' says more",
                    database, altered.stream().map(Inconsistency::key).toList());
        }
    }

    /**
     * What differs.
     *
     * @param made what the store makes: the text of each object by its kind and name
     * @param found what the database has, in the same words
     */
    public static List<Inconsistency> compare(Map<String, String> made, Map<String, String> found) {
        List<Inconsistency> differ = new ArrayList<>();
        new TreeMap<>(found).forEach((name, text) -> {
            if (!made.containsKey(name)) {
                differ.add(altered(name, "Belay did not make it", text));
            } else if (!text.equals(made.get(name))) {
                differ.add(altered(name, "it was changed", text));
            }
        });
        new TreeMap<>(made).forEach((name, text) -> {
            if (!found.containsKey(name)) {
                differ.add(new Inconsistency("schema", name, "it is missing"));
            }
        });
        return List.copyOf(differ);
    }

    /** Names and texts were written by another program: they stay on one line. */
    private static Inconsistency altered(String name, String how, String text) {
        return new Inconsistency("schema", line(name), text.isEmpty() ? how : how + ": " + line(text));
    }

    private static String line(String text) {
        String line = ODD.matcher(text).replaceAll(" ");
        return line.length() > LONGEST ? line.substring(0, LONGEST) + "..." : line;
    }
}
