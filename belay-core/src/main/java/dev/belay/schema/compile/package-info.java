/**
 * Compiles a schema: {@link dev.belay.schema.compile.SchemaCompiler} makes one node for each schema position, resolves references
 * and refuses circles; {@link dev.belay.schema.compile.SchemaCache} keeps compiled schemas.
 *
 * <p>The nodes and their rules stand in {@code dev.belay.schema.rules}, which does not use this package.
 */
@NullMarked
package dev.belay.schema.compile;

import org.jspecify.annotations.NullMarked;
