/**
 * Records and sessions in memory: what tests use, and a runtime without a store. They end with the process, and do otherwise
 * what a store on a disk does; the same contract suites say so.
 */
@NullMarked
package dev.belay.runtime.store.memory;

import org.jspecify.annotations.NullMarked;
