package dev.belay.model;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.model.form.MessageLength;
import dev.belay.model.form.TextTokens;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.ToLongFunction;
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
    private final @Nullable Frame frame;

    private MessageLog(Store store, int size) {
        this(store, size, null);
    }

    private MessageLog(Store store, int size, @Nullable Frame frame) {
        this.store = store;
        this.size = size;
        this.frame = frame;
    }

    /**
     * What stands around the messages of a log.
     *
     * @param first in front of them, or null
     * @param skipped how many of them it stands for: 1 if they begin with a system message, otherwise 0
     * @param last behind them, or null
     */
    private record Frame(@Nullable Entry first, int skipped, @Nullable Entry last) {

        int extra() {
            return (first == null ? 0 : 1) - skipped + (last == null ? 0 : 1);
        }
    }

    /** A log without messages. */
    public static MessageLog empty() {
        return EMPTY;
    }

    /** A log of these messages; the list itself if it is a log. */
    public static MessageLog of(List<? extends Message> messages) {
        return messages instanceof MessageLog log ? log : EMPTY.append(messages);
    }

    /**
     * The same messages within a frame, for one request: nothing is copied, and the log itself stays as it is. To append to what is
     * framed copies it.
     *
     * @param system the system message in front, in place of one that is there; null to leave it
     * @param last a message behind the end, or null for none
     */
    public MessageLog framed(Message.@Nullable SystemMessage system, Message.@Nullable UserMessage last) {
        if (frame != null) {
            return EMPTY.append(this).framed(system, last);
        }
        boolean replaces = system != null && size > 0
                && store.entries[0].message instanceof Message.SystemMessage;
        return system == null && last == null
                ? this
                : new MessageLog(store, size,
                        new Frame(system == null ? null : Entry.alone(system), replaces ? 1 : 0,
                                last == null ? null : Entry.alone(last)));
    }

    /** This log and one message more. */
    public MessageLog append(Message message) {
        Objects.requireNonNull(message, "message");
        if (frame != null) {
            return EMPTY.append(this).append(message);
        }
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
        Frame around = frame;
        if (around == null) {
            return store.entries[Objects.checkIndex(index, size)].message;
        }
        Objects.checkIndex(index, size());
        if (around.first != null && index == 0) {
            return around.first.message;
        }
        int at = index - (around.first == null ? 0 : 1) + around.skipped;
        return at < size ? store.entries[at].message : Objects.requireNonNull(around.last).message;
    }

    /** How many messages there are. */
    @Override
    public int size() {
        return frame == null ? size : size + frame.extra();
    }

    /** How many characters the model reads in all messages: texts, thoughts, calls and replies, not pictures and files. */
    public long characters() {
        return total(entry -> entry.characters);
    }

    /**
     * About how many tokens a model of a family reads in all messages. Counted when first asked for, and from the last message that was
     * counted: no message is counted twice. Two threads that ask at once may both count and find the same.
     */
    public long tokens(TokenFamily family) {
        int known = size;
        while (known > 0 && store.entries[known - 1].tokens == null) {
            known--;
        }
        TextTokens sum = known == 0
                ? TextTokens.NONE
                : Objects.requireNonNull(store.entries[known - 1].tokens);
        for (int at = known; at < size; at++) {
            sum = sum.plus(TextTokens.of(store.entries[at].message));
            store.entries[at].tokens = sum;
        }
        Frame around = frame;
        if (around != null) {
            sum = around.first == null ? sum : sum.plus(TextTokens.of(around.first.message));
            sum = around.skipped == 0 ? sum : sum.minus(TextTokens.of(store.entries[0].message));
            sum = around.last == null ? sum : sum.plus(TextTokens.of(around.last.message));
        }
        return family.tokens(sum);
    }

    /** A sum over all messages, which each entry knows up to itself. */
    private long total(ToLongFunction<Entry> upTo) {
        long sum = size == 0 ? 0 : upTo.applyAsLong(store.entries[size - 1]);
        Frame around = frame;
        if (around != null) {
            sum += around.first == null ? 0 : upTo.applyAsLong(around.first);
            sum -= around.skipped == 0 ? 0 : upTo.applyAsLong(store.entries[0]);
            sum += around.last == null ? 0 : upTo.applyAsLong(around.last);
        }
        return sum;
    }

    /** About how many bytes of memory the messages take, pictures and files included. */
    public long bytes() {
        return total(entry -> entry.bytes);
    }

    /**
     * Identifies the messages and their order: 64 hexadecimal digits. It is the SHA-256 of the hash of the log without its last
     * message, followed by the JSON of that message ({@link MessageJson}), as UTF-8; an empty log has the hash of the text
     * {@code belay-messages/1}. Logs of native payloads that are equal but spelled differently have different hashes.
     *
     * <p>Within a frame it is the SHA-256 of the hash of the log, followed by the JSON of the messages that stand around it.
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
        return frame == null ? hash : framed(hash, frame);
    }

    private static String framed(String hash, Frame around) {
        var framed = new FramedHash().addBare(hash);
        if (around.first != null) {
            framed.addBare("first").addBare(MessageJson.of(around.first.message).text());
        }
        if (around.last != null) {
            framed.addBare("last").addBare(MessageJson.of(around.last.message).text());
        }
        return framed.hex();
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
        boolean sound = size == 0 || store.entries[size - 1].sound;
        Frame around = frame;
        return sound && (around == null || around.last == null || size == 0
                || History.allows(store.entries[size - 1].message, around.last.message));
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
        /** Tokens up to here; null until asked for. A race stores equal counts. */
        volatile @Nullable TextTokens tokens;
        /** From the hash until the message is recorded. */
        @Nullable
        Json json;

        /** One that no message comes before. */
        static Entry alone(Message message) {
            return new Entry(message, true, MessageLength.of(message), MessageLength.bytes(message));
        }

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
