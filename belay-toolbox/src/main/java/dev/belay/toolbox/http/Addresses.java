package dev.belay.toolbox.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides which addresses are public, and parses hosts that are written as numbers. The list follows IANA's registries of
 * special-purpose addresses; of IPv6 only global unicast (2000::/3) can be public. Stateless.
 */
final class Addresses {

    private static final List<Block> NOT_PUBLIC = List.of(
            block(8, 0), block(8, 10), block(10, 100, 64), block(8, 127), block(16, 169, 254),
            block(12, 172, 16),
            block(24, 192, 0, 0), block(24, 192, 0, 2), block(24, 192, 31, 196), block(24, 192, 52, 193),
            block(24, 192, 88, 99), block(16, 192, 168), block(24, 192, 175, 48), block(15, 198, 18),
            block(24, 198, 51, 100), block(24, 203, 0, 113), block(4, 224), block(4, 240));

    /** Parts of 2000::/3 that are not: protocols and tunnels (2001::/23), examples, 6to4. */
    private static final List<Block> NOT_PUBLIC_6 = List.of(block(23, 0x20, 0x01, 0, 0),
            block(32, 0x20, 0x01, 0x0d, 0xb8), block(16, 0x20, 0x02), block(48, 0x26, 0x20, 0, 0x4f, 0x80, 0),
            block(20, 0x3f, 0xff, 0));

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Block(int bits, byte[] start) {

        boolean has(byte[] address) {
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit % 8);
                int expected = bit / 8 < start.length ? start[bit / 8] : 0;
                if ((address[bit / 8] & mask) != (expected & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    private Addresses() {}

    private static Block block(int bits, int... start) {
        byte[] bytes = new byte[start.length];
        for (int at = 0; at < start.length; at++) {
            bytes[at] = (byte) start[at];
        }
        return new Block(bits, bytes);
    }

    /** Whether an address is public. An IPv4 address inside an IPv6 address counts as not public. */
    static boolean isPublic(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == 4) {
            return NOT_PUBLIC.stream().noneMatch(block -> block.has(bytes));
        }
        return (bytes[0] & 0xe0) == 0x20 && NOT_PUBLIC_6.stream().noneMatch(block -> block.has(bytes));
    }

    /** Whether a host is written as a number, so that it must not be resolved as a name. */
    static boolean isNumeric(String host) {
        String last = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        last = last.substring(last.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return host.contains(":") || last.matches("[0-9]+|0x[0-9a-f]*");
    }

    /**
     * The address that a number stands for, in all the forms that programs accept: one to four parts, each decimal, octal
     * ({@code 0177}) or hexadecimal ({@code 0x7f}), the last one filling what is left; or an address of IPv6.
     */
    static Optional<InetAddress> ofNumber(String host) {
        try {
            if (host.contains(":")) {
                return host.contains("%")
                        ? Optional.empty()
                        : Optional.of(InetAddress.getByName("[" + host + "]"));
            }
            String[] parts = (host.endsWith(".") ? host.substring(0, host.length() - 1) : host).split("\\.",
                    -1);
            if (parts.length > 4) {
                return Optional.empty();
            }
            long value = 0;
            for (int at = 0; at < parts.length; at++) {
                long part = part(parts[at]);
                boolean last = at == parts.length - 1;
                int bytes = last ? 4 - at : 1;
                if (part < 0 || part >= 1L << (8 * bytes)) {
                    return Optional.empty();
                }
                value = (value << (8 * bytes)) | part;
            }
            return Optional.of(InetAddress.getByAddress(new byte[]{(byte) (value >> 24), (byte) (value >> 16),
                (byte) (value >> 8), (byte) value}));
        } catch (UnknownHostException | NumberFormatException notOne) {
            return Optional.empty();
        }
    }

    private static long part(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.startsWith("0x")) {
            return lower.length() == 2 ? 0 : Long.parseLong(lower.substring(2), 16);
        }
        return lower.length() > 1 && lower.startsWith("0") ? Long.parseLong(lower, 8) : Long.parseLong(lower);
    }
}
