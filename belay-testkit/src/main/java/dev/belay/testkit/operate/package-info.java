/** What a store promises about the verbs of operators: {@link dev.belay.testkit.operate.PauseContract}. */
@NullMarked
package dev.belay.testkit.operate;

import org.jspecify.annotations.NullMarked;
