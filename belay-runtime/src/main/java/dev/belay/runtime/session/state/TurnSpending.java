package dev.belay.runtime.session.state;

import dev.belay.json.Json;
import dev.belay.model.MessageJson;
import dev.belay.model.Usage;
import dev.belay.runtime.session.asking.FailedTry;
import dev.belay.runtime.session.asking.Models;
import dev.belay.runtime.store.journal.RecordReader;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a turn has spent, according to its records. A cost is recorded when it is spent: the price of that day counts, and a turn
 * that is entered again comes to the same sum. Confined to the turn's thread.
 */
public final class TurnSpending {

    /** What a call leaves behind if it has asked a model itself. */
    private static final String USAGE = "usage";

    private Usage usage = Usage.NONE;
    private BigDecimal cost = BigDecimal.ZERO;
    private boolean priced;
    /** What models had no price for when they were asked. */
    private final Map<String, Usage> unpriced = new TreeMap<>();

    /** Adds what a round has spent. */
    public void add(RoundRecord round) {
        RoundRecord.Asked asked = round.asked();
        if (asked != null) {
            add(asked.model(), round.usage(), asked.cost());
        }
    }

    /** Adds what a failed try has spent. */
    void add(FailedTry failed) {
        if (!failed.usage().equals(Usage.NONE)) {
            add(failed.model(), failed.usage(), failed.cost());
        }
    }

    private void add(String model, Usage more, @Nullable BigDecimal price) {
        usage = usage.plus(more);
        if (price == null) {
            unpriced.merge(model, more, Usage::plus);
        } else {
            cost = cost.add(price);
            priced = true;
        }
    }

    /** Adds what is in no record, at the prices of today. */
    public void add(String model, Usage lost, Models today) {
        if (!lost.equals(Usage.NONE)) {
            add(model, lost, today.cost(model, lost));
        }
    }

    /** Adds what a call has spent; false if it has left no spending but a change. */
    public boolean add(Json left) {
        Json spent = left.get(USAGE).orElse(null);
        if (spent == null) {
            return false;
        }
        add(RecordReader.text(left, "model"), MessageJson.usage(spent),
                left.get("cost").map(Json::asBigDecimal).orElse(null));
        return true;
    }

    /** What a call leaves behind that has asked a model; the form is part of the call's record. */
    public static Json left(String model, Usage usage, @Nullable BigDecimal cost) {
        return Json.write(out -> {
            out.beginObject();
            MessageJson.write(out.name(USAGE), usage);
            out.name("model").value(model);
            if (cost != null) {
                out.name("cost").value(cost);
            }
            out.endObject();
        });
    }

    public Usage usage() {
        return usage;
    }

    /** What all of it cost; null if a part of it had no price, or nothing was spent. */
    public @Nullable BigDecimal cost() {
        return priced && unpriced.isEmpty() ? cost : null;
    }

    /** What all of it cost, at the prices of today where there was none. */
    public BigDecimal cost(Models today) {
        BigDecimal sum = cost;
        for (Map.Entry<String, Usage> one : unpriced.entrySet()) {
            BigDecimal more = today.cost(one.getKey(), one.getValue());
            sum = more == null ? sum : sum.add(more);
        }
        return sum;
    }
}
