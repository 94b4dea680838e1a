/** Sessions and turns, through the door that users have. */
@org.jspecify.annotations.NullMarked
package dev.belay.tests.session;
