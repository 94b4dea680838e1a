package dev.belay.schema;

import java.util.Locale;

/** How Java names become JSON names. */
public final class Names {

    private Names() {}

    /** {@code FindOrders} and {@code findOrders} become {@code find_orders}; {@code HTTPGet} becomes {@code http_get}. */
    public static String snakeCase(String name) {
        var text = new StringBuilder(name.length() + 8);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean startsWord = i > 0 && Character.isUpperCase(c) && name.charAt(i - 1) != '_'
                    && (!Character.isUpperCase(name.charAt(i - 1)) || isLowerCase(name, i + 1));
            if (startsWord) {
                text.append('_');
            }
            text.append(c);
        }
        return text.toString().toLowerCase(Locale.ROOT);
    }

    private static boolean isLowerCase(String name, int index) {
        return index < name.length() && Character.isLowerCase(name.charAt(index));
    }
}
