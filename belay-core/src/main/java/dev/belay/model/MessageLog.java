package dev.belay.model;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.model.form.MessageLength;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a conversation, from the oldest on, as a list that never changes: {@link #append} gives another log, which
 * shares its past with this one. To append to the newest log costs the same however long it is; to append to an older one, which
 * has been appended to before, copies its references once and is a fork. A log knows whether its past is well-formed ({@link
 * History}) and how long it is, so that a {@link ModelRequest} over it, and a guess at its tokens, cost the same too.
 *
 * <p><b>Concurrency.</b> Thread-safe. Logs of one line share an array that is only ever written behind the end of the longest.
 * The lock of the store decides which log may write there; the other one continues in a copy. A log is made after its last
 * message was stored and holds the array in a final field, so that it may be handed on in any way.
 *
 * <p><b>Memory.</b> A log keeps messages that were appended later reachable for as long as it is reachable itself.
 */
public final class MessageLog extends AbstractList<Message> implements RandomAccess {

    /** Names the form that is hashed; another form needs another name. */
    private static final String FORM = "belay-messages/1";
    /** Of so many messages the JSON is kept from the hash to the record: more than a turn adds, usually. */
    private static final int MOST_JSON = 64;
    private static final String EMPTY_HASH = new FramedHash().addBare(FORM).hex();
    /** Its store is full, so that no two conversations share it. */
    private static final MessageLog EMPTY = new MessageLog(new Store(new Entry[0], 0), 0);

    private final Store store;
    private final int size;

    private MessageLog(Store store, int size) {
        this.store = store;
        this.size = size;
    }

    /** A log without messages. */
    public static MessageLog empty() {
        return EMPTY;
    }

    /** A log of these messages; the list itself if it is a log. */
    public static MessageLog of(List<? extends Message> messages) {
        return messages instanceof MessageLog log ? log : EMPTY.append(messages);
    }

    /** This log and one message more. */
    public MessageLog append(Message message) {
        Objects.requireNonNull(message, "message");
        Entry last = size == 0 ? null : store.entries[size - 1];
        boolean sound = last == null
                ? History.allows(null, message)
                : last.sound && History.allows(last.message, message);
        long characters = (last == null ? 0 : last.characters) + MessageLength.of(message);
        long bytes = (last == null ? 0 : last.bytes) + MessageLength.bytes(message);
        return new MessageLog(store.append(size, new Entry(message, sound, characters, bytes)), size + 1);
    }

    /** This log and these messages. */
    public MessageLog append(List<? extends Message> messages) {
        MessageLog log = this;
        for (Message message : messages) {
            log = log.append(message);
        }
        return log;
    }

    /** The message at an index from 0 on. */
    @Override
    public Message get(int index) {
        return store.entries[Objects.checkIndex(index, size)].message;
    }

    /** How many messages there are. */
    @Override
    public int size() {
        return size;
    }

    /** How many characters the model reads in all messages: texts, thoughts, calls and replies, not pictures and files. */
    public long characters() {
        return size == 0 ? 0 : store.entries[size - 1].characters;
    }

    /** About how many bytes of memory the messages take, pictures and files included. */
    public long bytes() {
        return size == 0 ? 0 : store.entries[size - 1].bytes;
    }

    /**
     * Identifies the messages and their order: 64 hexadecimal digits. It is the SHA-256 of the hash of the log without its last
     * message, followed by the JSON of that message ({@link MessageJson}), as UTF-8; an empty log has the hash of the text
     * {@code belay-messages/1}. Logs of native payloads that are equal but spelled differently have different hashes.
     *
     * <p>It is made when first asked for, and from the last hash that is known: no message is hashed twice, in forks neither. Two
     * threads that ask at once may both make it and find the same.
     */
    public String hash() {
        int known = size;
        while (known > 0 && store.entries[known - 1].hash == null) {
            known--;
        }
        String hash = known == 0 ? EMPTY_HASH : Objects.requireNonNull(store.entries[known - 1].hash);
        for (int at = known; at < size; at++) {
            Entry entry = store.entries[at];
            Json json = MessageJson.of(entry.message);
            hash = new FramedHash().addBare(hash).addBare(json.text()).hex();
            entry.json = size - at <= MOST_JSON ? json : null;
            entry.hash = hash;
        }
        return hash;
    }

    /**
     * The JSON of the messages from an index on, for a record of them. What {@link #hash} has made is not made again, and is let
     * go with this: a log that is kept does not keep its JSON.
     */
    public List<Json> takeJson(int from) {
        List<Json> all = new ArrayList<>(size - from);
        for (int at = from; at < size; at++) {
            Entry entry = store.entries[at];
            Json made = entry.json;
            all.add(made == null ? MessageJson.of(entry.message) : made);
            entry.json = null;
        }
        for (int at = from - 1; at >= 0 && store.entries[at].json != null; at--) {
            store.entries[at].json = null;
        }
        return all;
    }

    /** Whether it is well-formed, apart from calls of its last message that wait for replies. */
    boolean isSound() {
        return size == 0 || store.entries[size - 1].sound;
    }

    /** A message at its place; what came before it is the same in every log that has this entry. */
    private static final class Entry {

        final Message message;
        /** Whether nothing is wrong up to here. */
        final boolean sound;
        /** Characters up to here. */
        final long characters;
        /** Bytes of memory up to here. */
        final long bytes;
        /** The hash of the log that ends here; null until asked for, and never again. A race stores equal strings. */
        volatile @Nullable String hash;
        /** From the hash until the message is recorded. */
        @Nullable
        Json json;

        Entry(Message message, boolean sound, long characters, long bytes) {
            this.message = message;
            this.sound = sound;
            this.characters = characters;
            this.bytes = bytes;
        }
    }

    /** The entries of a line of logs. */
    private static final class Store {

        private static final int SMALLEST = 8;

        /** Null from {@link #used} on. */
        final Entry[] entries;
        private int used;

        Store(Entry[] entries, int used) {
            this.entries = entries;
            this.used = used;
        }

        /** Stores an entry at a position: here, or in a copy if there is no room or the position is taken. */
        synchronized Store append(int size, Entry entry) {
            if (size == used && size < entries.length) {
                entries[size] = entry;
                used++;
                return this;
            }
            Entry[] longer = new Entry[Math.max(SMALLEST, size + size / 2)];
            System.arraycopy(entries, 0, longer, 0, size);
            longer[size] = entry;
            return new Store(longer, size + 1);
        }
    }
}
