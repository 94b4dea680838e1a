package dev.belay.examples.typedloop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MainTest {

    @Test
    void printsEveryStepOfTheLoop() {
        var printed = new ByteArrayOutputStream();
        Main.run(new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines(
                """
                        == Step 1: the model is asked
                        heard:    call 2 of find_order is unknown_tool
                        heard:    call 3 of refund is tool_unavailable
                        offered:  find_orders, crm_get_customer, track_parcel
                        said:     Let me look.
                        asked:    scripted_1 find_orders {"customer": " Ada@Example.com "}
                        asked:    scripted_2 find_orders {"custommer": "ada@example.com", "limit": 99}
                        asked:    scripted_3 find_order {}
                        asked:    scripted_4 refund {"order": 42, "cents": 8950}
                        asked:    scripted_5 crm_get_customer {"email": "ada@example.com"}
                        asked:    scripted_6 track_parcel {"parcel": "P7"}
                        -- hooks have seen the calls that are valid
                        pending:  scripted_1 FindOrders[customer=ada@example.com, limit=OptionalInt.empty]
                        pending:  scripted_6 Extra[call=track_parcel{"parcel": "P7"}]
                        handled:  scripted_5 Crm[tools=GetCustomer[email=ada@example.com]]
                        issue:    scripted_2 find_orders: invalid_arguments
                        issue:    scripted_3 find_order: unknown_tool
                        issue:    scripted_4 refund: tool_unavailable
                        hint:     the model is told what was wrong with find_orders (invalid_arguments), find_order (unknown_tool), refund (tool_unavailable); ask it again so that it can correct it
                        -- your code runs what is pending
                        running:  scripted_1 FindOrders[customer=ada@example.com, limit=OptionalInt.empty]
                        running:  scripted_6 Extra[call=track_parcel{"parcel": "P7"}]
                        -- a commit with mistakes is refused, and nothing is lost
                        problem:  duplicate_reply: call scripted_6 of track_parcel has a second reply
                        problem:  missing_reply: call scripted_1 of find_orders has no reply
                        -- the round is committed; this is what the model is told
                        told:     scripted_1 OK [{"number":42,"item":"rope","cents":8950}]
                        told:     scripted_2 ERROR Error (invalid_arguments): the arguments of find_orders do not fit its schema:
                                  (root): required field "customer" is missing
                                  /custommer: is not a known field; did you mean "customer"? Known fields are "customer", "limit"
                                  /limit: expected a number of at most 50, found 99
                        told:     scripted_3 ERROR Error (unknown_tool): there is no tool "find_order"; did you mean find_orders?
                        told:     scripted_4 ERROR Error (tool_unavailable): tool refund exists but is not available here; available: find_orders, crm_get_customer, track_parcel
                        told:     scripted_5 OK {"name":"Ada","since":"2019"}
                        told:     scripted_6 OK P7 of acme is in Oslo
                        == Step 2: the model is asked
                        offered:  find_orders, refund, crm_get_customer, track_parcel
                        said:     (nothing)
                        asked:    scripted_1 refund {"order": 42, "cents": 89500}
                        asked:    scripted_2 refund {"order": 42, "cents": 8950}
                        -- hooks have seen the calls that are valid
                        pending:  scripted_2 Refund[order=42, cents=8950]
                        rejected: scripted_1 Refund[order=42, cents=89500]
                        -- your code runs what is pending
                        running:  scripted_2 Refund[order=42, cents=8950]
                        -- the round is committed; this is what the model is told
                        told:     scripted_1 REJECTED Rejected: at most 10000 cents without a person
                        told:     scripted_2 OK {"number":"R-42"}
                        == Step 3: the model is asked
                        again:    it is not JSON: expected a value, found the word Ada: the text must be one JSON value with nothing before or after it (line 1, column 1)
                        finished: Ada got 8950 cents
                        """);
    }

    @Test
    void javadocDescribesTheTools() {
        assertThat(Main.TOOLS.byName("find_orders").definition().spec()).satisfies(spec -> {
            assertThat(spec.description()).isEqualTo("Finds the orders of a customer.");
            assertThat(spec.inputSchema().at("/properties/limit/description").orElseThrow().asString())
                    .isEqualTo("at most this many");
        });
        assertThat(Main.TOOLS.byName("crm_get_customer").definition().manifest().description())
                .isEqualTo("Looks up a customer.");
    }
}
