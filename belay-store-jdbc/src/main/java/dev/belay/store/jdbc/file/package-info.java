/**
 * One open file: its threads, its owner, its group commits.
 */
@NullMarked
package dev.belay.store.jdbc.file;

import org.jspecify.annotations.NullMarked;
