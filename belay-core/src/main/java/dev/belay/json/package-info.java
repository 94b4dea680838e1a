/**
 * JSON as an exact, immutable value: {@link dev.belay.json.Json} keeps the text it came from, knows its canonical form and
 * never loses a digit. {@link dev.belay.json.JsonReader} and {@link dev.belay.json.JsonWriter} are the single way in and out.
 * {@link dev.belay.json.FramedHash} hashes records and identities.
 *
 * <p>No other package of Belay is used here. Schemas stand in {@code dev.belay.schema}, codecs of Java types in
 * {@code dev.belay.generated}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.json;
