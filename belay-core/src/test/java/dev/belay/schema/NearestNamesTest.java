package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNamesTest {

    @Test
    void nearestComesFirst() {
        assertThat(NearestNames.of("customr", List.of("customs", "costumer", "customer", "limit"), 2))
                .containsExactly("customs", "customer");
        assertThat(NearestNames.of("find_order", List.of("find_orders_x", "find_orders"), 3))
                .containsExactly("find_orders", "find_orders_x");
    }

    @Test
    void caseAndSeparatorsDoNotCount() {
        assertThat(NearestNames.of("Order-ID", List.of("order", "order_id"), 1)).containsExactly("order_id");
        assertThat(NearestNames.of("orderId", List.of("ORDER_ID"), 1)).containsExactly("ORDER_ID");
    }

    @Test
    void swappedNeighboursAreOneMistake() {
        assertThat(NearestNames.of("teh", List.of("the"), 1)).containsExactly("the");
        assertThat(NearestNames.of("het", List.of("the"), 1)).isEmpty();
    }

    @Test
    void farNamesAreNoHelp() {
        assertThat(NearestNames.of("limit", List.of("customer", "a", "xxxxx"), 3)).isEmpty();
        assertThat(NearestNames.of("a", List.of("b"), 3)).isEmpty();
        assertThat(NearestNames.of("abcdef", List.of("abxxef"), 3)).containsExactly("abxxef");
        assertThat(NearestNames.of("abcdef", List.of("axxxef"), 3)).isEmpty();
    }

    @Test
    void tiesKeepTheGivenOrder() {
        assertThat(NearestNames.of("bat", List.of("cat", "hat", "rat"), 2)).containsExactly("cat", "hat");
    }

    @Test
    void atMostIsKept() {
        assertThat(NearestNames.of("bat", List.of("cat"), 0)).isEmpty();
    }

    @Test
    void longNamesHaveNoAnswer() {
        String longName = "n".repeat(201);

        assertThat(NearestNames.of(longName, List.of(longName), 1)).isEmpty();
        assertThat(NearestNames.of("n".repeat(200), List.of(longName, "n".repeat(199)), 5))
                .containsExactly("n".repeat(199));
    }

    @Test
    void manyLongNamesAreCutShort() {
        List<String> names = Collections.nCopies(1_000_000, "x".repeat(200));

        assertThat(NearestNames.of("n".repeat(200), names, 1)).isEmpty();
    }
}
