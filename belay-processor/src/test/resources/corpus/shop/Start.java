package shop;

import java.util.List;
import java.util.function.Supplier;

/** Hands out what the host would make itself. */
public final class Start implements Supplier<List<Object>> {
    @Override
    public List<Object> get() {
        return List.of(new ShopService(), new ShopService.Tenant("acme"));
    }
}
