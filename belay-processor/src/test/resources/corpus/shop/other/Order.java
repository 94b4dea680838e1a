package shop.other;

/** Named like another record. */
public record Order(String number) {}
