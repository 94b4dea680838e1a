/**
 * What commands are made of: a {@link dev.belay.cli.verb.Verb}, and one that opens a store
 * ({@link dev.belay.cli.verb.StoreVerb}).
 */
@NullMarked
package dev.belay.cli.verb;

import org.jspecify.annotations.NullMarked;
