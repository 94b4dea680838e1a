/** What the person on call sees and does: answers of operators' verbs, and who asked. */
@NullMarked
package dev.belay.runtime.operate;

import org.jspecify.annotations.NullMarked;
