package dev.belay.runtime.session.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Contract P.9 as a table: j is an input that joins, q one that gets a turn of its own, c a command, n a notice. */
class JoiningTest {

    private static Arrival arrival(char kind, int place) {
        String id = String.valueOf(kind) + place;
        return switch (kind) {
            case 'j', 'q' -> new TurnInput(Message.user("turn: own"), TurnSettings.NONE, null,
                    Json.EMPTY_OBJECT, Instant.EPOCH)
                    .in(new TurnInput.Manner(kind == 'q', null, Map.of()))
                    .arrival(id);
            case 'c' -> new Arrival(id, Arrival.Kind.COMMAND, "h", Json.of("{\"turn\":\"own\"}"));
            case 'n' -> Arrival.notice(id, Json.of("{\"text\":\"x\",\"turn\":\"own\"}"));
            default -> throw new IllegalArgumentException(id);
        };
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {"j,j", "q,''", "jj,jj", "jq,j", "qj,''", "jqj,j", "jqjqj,j",
        "cqc,cc",
        "nqn,nn", "jcqjnc,jcnc", "'',''"})
    void inputsJoinUpToTheFirstThatGetsATurnOfItsOwn(String waiting, String joins) {
        List<Arrived> all = new ArrayList<>();
        for (int i = 0; i < waiting.length(); i++) {
            all.add(new Arrived(arrival(waiting.charAt(i), i), i, null, Instant.EPOCH));
        }
        all.addFirst(new Arrived(arrival('q', 99), 0, null, Instant.EPOCH));
        var joined = new StringBuilder();
        JoinedArrivals.joining(all, Set.of("q99")).forEach(one -> joined.append(one.id().charAt(0)));
        assertThat(joined.toString()).isEqualTo(joins);
    }
}
