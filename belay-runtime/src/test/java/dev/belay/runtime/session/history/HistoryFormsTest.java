package dev.belay.runtime.session.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.runtime.history.Compaction;
import dev.belay.runtime.plugin.HistoryHook.Reason;
import dev.belay.runtime.session.history.Pieces.Piece;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pins the forms of what is recorded about the history: later builds must read them. */
class HistoryFormsTest {

    private static final Compaction DECIDED = new Compaction(7, 2, Reason.FULL, "rolling-history", 9_000,
            4_000, 5,
            2, 4, 1, List.of("default"), List.of("own: no"));
    private static final String DECIDED_JSON = "{\"turn\":7,\"round\":2,\"reason\":\"FULL\",\"plugin\":\"rolling-history\","
            + "\"before\":9000,\"after\":4000,\"kept\":5,\"shortened\":2,\"dropped\":4,\"added\":1,"
            + "\"models\":[\"default\"],\"failed\":[\"own: no\"]}";
    private static final Pieces PIECES = new Pieces(
            List.of(new Piece.Said(Message.user("[Summary]")), new Piece.Kept(4, 9)));
    private static final String PIECES_JSON = "[{\"message\":{\"user\":[{\"text\":\"[Summary]\"}]}},{\"from\":4,\"to\":9}]";

    @Test
    void aCompaction() {
        var record = new CompactionRecord(DECIDED, 9, PIECES, List.of(Json.of("{\"usage\":{}}")), true,
                List.of("id-1"));
        String form = "{\"v\":1,\"decided\":" + DECIDED_JSON + ",\"upTo\":9,\"pieces\":" + PIECES_JSON
                + ",\"spent\":[{\"usage\":{}}],\"unrecorded\":true,\"commands\":[\"id-1\"]}";
        assertThat(record.toJson().text()).isEqualTo(form);
        assertThat(CompactionRecord.of(Json.of(form))).isEqualTo(record);
    }

    @Test
    void aCompactionThatCameToNothing() {
        var record = new CompactionRecord(
                new Compaction(1, 1, Reason.REFUSED, "", 10, 10, 1, 0, 0, 0, List.of(), List.of()), 1, null,
                List.of(), false, List.of());
        String form = "{\"v\":1,\"decided\":{\"turn\":1,\"round\":1,\"reason\":\"REFUSED\",\"plugin\":\"\",\"before\":10,"
                + "\"after\":10,\"kept\":1,\"shortened\":0,\"dropped\":0,\"added\":0},\"upTo\":1}";
        assertThat(record.toJson().text()).isEqualTo(form);
        assertThat(CompactionRecord.of(Json.of(form))).isEqualTo(record);
    }

    @Test
    void whatASessionKeeps() {
        var saved = new SavedHistory(7, 3, List.of(DECIDED), 9, PIECES, List.of("add", "pay"), 1_200, 7,
                "0123456789abcdef",
                "Be brief.");
        String form = "{\"turn\":7,\"before\":3,\"upTo\":9,\"decided\":[" + DECIDED_JSON + "],\"pieces\":"
                + PIECES_JSON
                + ",\"called\":[\"add\",\"pay\"],\"factor\":1200,\"instructed\":7,\"mark\":\"0123456789abcdef\",\"instructions\":\"Be brief.\"}";
        assertThat(saved.toJson().text()).isEqualTo(form);
        assertThat(SavedHistory.of(Json.of(form))).isEqualTo(saved);
    }

    @Test
    void laterStatesNameTheTurnAndFindTheTextsThere() {
        var saved = new SavedHistory(7, 3, List.of(DECIDED), 9, PIECES, List.of("add", "pay"), 1_200, 7,
                "0123456789abcdef",
                "Be brief.");
        String form = "{\"turn\":7,\"before\":3,\"upTo\":9,\"factor\":1200,\"instructed\":7,\"mark\":\"0123456789abcdef\"}";
        assertThat(saved.later().toJson().text()).isEqualTo(form);
        assertThat(SavedHistory.of(Json.of(form)).whole(turn -> turn == 7 ? saved.toJson() : null))
                .isEqualTo(saved);
    }

    @Test
    void piecesAreFoundInTheLogByTheirContent() {
        List<Message> log = List.of(Message.user("a"), Message.assistant("b"), Message.user("a"),
                Message.assistant("c"));
        Pieces pieces = Pieces.of(List.of(Message.user("new"), Message.user("a"), Message.assistant("c")),
                log.subList(2, 4), new int[]{2, 3});
        assertThat(pieces.all()).containsExactly(new Piece.Said(Message.user("new")), new Piece.Kept(2, 4));
        assertThat(pieces.of(log, 0)).containsExactly(Message.user("new"), Message.user("a"),
                Message.assistant("c"));
        assertThat(pieces.of(log.subList(2, 4), 2)).hasSize(3);
    }

    @Test
    void ofEqualMessagesTheLatestIsFoundSoThatTheOldestNeedNotBeRead() {
        List<Message> log = List.of(Message.user("go on"), Message.assistant("done"), Message.user("go on"),
                Message.assistant("done"), Message.user("go on"), Message.assistant("done"));
        Pieces pieces = Pieces.of(
                List.of(Message.user("new"), Message.user("go on"), Message.assistant("done")), log,
                new int[]{0, 1, 2, 3, 4, 5});
        assertThat(pieces.all()).containsExactly(new Piece.Said(Message.user("new")), new Piece.Kept(4, 6));
        Pieces apart = Pieces.of(List.of(log.get(0), log.get(1), log.get(1)), log,
                new int[]{0, 1, 2, 3, 4, 5});
        assertThat(apart.all()).as("in their order")
                .containsExactly(new Piece.Kept(2, 4), new Piece.Kept(5, 6));
        assertThat(apart.of(log, 0)).containsExactly(log.get(0), log.get(1), log.get(1));
    }
}
