package dev.belay.examples.typedloop;

import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;

/** Tools of the customer database. A set of its own, so that other sets can nest it too. */
@Tools
public sealed interface CrmTools {

    /** A customer, as the model reads it. */
    record Customer(String name, String since) {}

    /**
     * Looks up a customer.
     *
     * @param email e-mail address of the customer
     */
    @Tool(effect = ToolEffect.READ)
    record GetCustomer(String email) implements CrmTools, ToolInput<Customer> {}
}
