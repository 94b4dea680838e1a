/**
 * What the protocols of several providers write and read in the same way: optional fields, characters that are split over two
 * pieces, text and names that a provider accepts, the ids of replies. Exported only to Belay's own provider modules. No provider's
 * field names are here; they are in the provider modules. Sending a request is in {@code dev.belay.model.http}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.model.http.wire;
