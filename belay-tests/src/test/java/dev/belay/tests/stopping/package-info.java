/** Contract V.2 and V.5: what a runtime does when it is closed, and what a pause holds. */
@org.jspecify.annotations.NullMarked
package dev.belay.tests.stopping;
