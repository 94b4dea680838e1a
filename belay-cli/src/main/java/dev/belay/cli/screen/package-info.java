/**
 * What a terminal is shown: styles of a theme ({@link dev.belay.cli.screen.Theme}), text with styles
 * ({@link dev.belay.cli.screen.Styled}, the door for foreign text), lines of a width ({@link dev.belay.cli.screen.Flow}) and Markdown
 * ({@link dev.belay.cli.screen.LiveMarkdown}). No stream and no command is here.
 */
@NullMarked
package dev.belay.cli.screen;

import org.jspecify.annotations.NullMarked;
