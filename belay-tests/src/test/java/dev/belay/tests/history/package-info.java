/** What of a conversation the model is sent: compactions, views, estimates. */
@org.jspecify.annotations.NullMarked
package dev.belay.tests.history;
