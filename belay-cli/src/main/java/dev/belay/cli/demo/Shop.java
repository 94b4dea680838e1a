package dev.belay.cli.demo;

import dev.belay.schema.Description;
import dev.belay.schema.Range;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolProvider;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The tools of the demo: a shop for climbers, and its bank. Each body notes in the books that it ran. Thread-safe. */
final class Shop {

    /** Long enough to see that calls overlap. */
    private static final long WORK_MILLIS = 400;
    /** Far more than a model is shown of one output. */
    private static final int ARTICLES = 2_000;
    /** Where ropes begin in the list. */
    static final int FIRST_ROPE = 1_500;
    private static final Map<String, Integer> STOCK = Map.of("rope", 7, "harness", 2, "chalk", 40);

    private final Books books;
    private final Runnable booked;

    /**
     * A shop.
     *
     * @param booked runs when the bank has booked a payment; it does not come back before its process is killed
     */
    Shop(Books books, Runnable booked) {
        this.books = books;
        this.booked = booked;
    }

    @Tool(effect = ToolEffect.READ)
    @Description("Tells how many of an item the shop has.")
    record Stock(@Description("rope, harness or chalk") String item) implements ToolInput<Integer> {}

    @Tool(effect = ToolEffect.IDEMPOTENT, exclusive = "item:{item}")
    @Description("Reserves some of an item.")
    record Reserve(String item, @Range(min = 1, max = 20) int quantity) implements ToolInput<String> {}

    @Tool(effect = ToolEffect.READ)
    @Description("Lists all articles with their prices, one on a line.")
    record PriceList() implements ToolInput<String> {}

    @Tool
    @Description("Pays. Must not happen twice.")
    record Pay(String to, @Range(min = 1, max = 1_000_000) int cents) implements ToolInput<String> {}

    ToolProvider provider() {
        return StaticToolProvider.builder()
                .tool(Stock.class, this::stock)
                .tool(Reserve.class, this::reserve)
                .tool(PriceList.class, this::prices)
                .tool(Pay.class, this::pay)
                .build();
    }

    private Integer stock(Stock stock, ToolContext context) throws IOException, InterruptedException {
        books.ran("stock");
        Thread.sleep(WORK_MILLIS);
        Integer left = STOCK.get(stock.item());
        if (left == null) {
            throw new ToolException(
                    "the shop has no \"" + stock.item() + "\"; it has rope, harness and chalk");
        }
        return left;
    }

    private String reserve(Reserve reserve, ToolContext context) throws IOException, InterruptedException {
        books.ran("reserve");
        Thread.sleep(WORK_MILLIS);
        return "reserved " + reserve.quantity() + " " + reserve.item();
    }

    private String prices(PriceList list, ToolContext context) throws IOException {
        books.ran("price_list");
        return IntStream.rangeClosed(1, ARTICLES)
                .mapToObj(number -> number + "  "
                        + (number < FIRST_ROPE ? "carabiner, batch " : "rope 60 m, batch ")
                        + number + "  " + (number < FIRST_ROPE ? "9.00" : "189.00"))
                .collect(Collectors.joining("\n"));
    }

    private String pay(Pay pay, ToolContext context) throws IOException {
        books.ran("pay");
        String receipt = "receipt R-1: " + pay.cents() + " cents to " + pay.to();
        books.book(context.idempotencyKey().value(), receipt);
        booked.run();
        return receipt;
    }
}
