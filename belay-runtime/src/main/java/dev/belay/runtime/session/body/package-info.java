/**
 * What a body may do with its session: children, direct questions, membership.
 */
@NullMarked
package dev.belay.runtime.session.body;

import org.jspecify.annotations.NullMarked;

