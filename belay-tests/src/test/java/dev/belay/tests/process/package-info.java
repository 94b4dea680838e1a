/** Processes, through the doors that programs and bodies have. */
@org.jspecify.annotations.NullMarked
package dev.belay.tests.process;
