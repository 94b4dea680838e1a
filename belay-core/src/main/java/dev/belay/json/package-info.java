/**
 * JSON as an exact, immutable value: {@link dev.belay.json.Json} keeps the text it came from, knows its canonical form and
 * never loses a digit. {@link dev.belay.json.JsonReader} and {@link dev.belay.json.JsonWriter} are the single way in and out.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.json;
