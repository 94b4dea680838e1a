/** Contract V and J.7: what operators see and do, by a client and by a runtime, on both stores. */
@org.jspecify.annotations.NullMarked
package dev.belay.tests.operate;
