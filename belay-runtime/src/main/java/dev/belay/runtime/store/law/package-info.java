/**
 * The law of every store: what each write decides, as pure code over rows. {@code ScopeRules}, {@code SessionRules} and
 * {@code ProcessRules} give one operation for each write; {@code LawfulJournal}, {@code LawfulSessions} and
 * {@code LawfulProcesses} apply them and read. Rows and how they are loaded and flushed are in
 * {@code dev.belay.runtime.store.rows}.
 */
@NullMarked
package dev.belay.runtime.store.law;

import org.jspecify.annotations.NullMarked;
