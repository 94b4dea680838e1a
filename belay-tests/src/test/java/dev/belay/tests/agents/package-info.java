/** Contract U: agents on both stores, and what several runtimes with different agents do on one store. */
@org.jspecify.annotations.NullMarked
package dev.belay.tests.agents;
