/** Contract V: what the person on call sees and does. */
@org.jspecify.annotations.NullMarked
package dev.belay.tests.operate;
