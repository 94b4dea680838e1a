/** What a store promises about the verbs of operators: {@link dev.belay.laws.operate.PauseContract}. */
@NullMarked
package dev.belay.laws.operate;

import org.jspecify.annotations.NullMarked;
