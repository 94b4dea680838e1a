/**
 * What commands are made of: a {@link dev.belay.cli.verb.Verb}, one that opens a database
 * ({@link dev.belay.cli.verb.StoreVerb}), and the {@link dev.belay.cli.verb.AgentWorkspace}.
 */
@NullMarked
package dev.belay.cli.verb;

import org.jspecify.annotations.NullMarked;
