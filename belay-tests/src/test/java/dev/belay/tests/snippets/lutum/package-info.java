/** The samples of lutum's page about tools, in Java, in the order of the page. */
@NullMarked
package dev.belay.tests.snippets.lutum;

import org.jspecify.annotations.NullMarked;
