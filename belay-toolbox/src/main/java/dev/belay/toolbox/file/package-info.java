/**
 * Tools for the files of one workspace: {@code read_file}, {@code list_dir}, {@code glob}, {@code grep}, {@code write_file},
 * {@code edit_file}. {@link dev.belay.toolbox.file.FileTools} is the provider, {@link dev.belay.toolbox.file.FileRules} the host's
 * settings. Every path goes through {@code Workspace}, and every opening through {@code Folder}, name by name, so that a link put
 * in place between check and opening is not followed. Commands are in {@code dev.belay.toolbox.command}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.toolbox.file;
