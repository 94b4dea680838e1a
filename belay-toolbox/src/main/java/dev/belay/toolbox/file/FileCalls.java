package dev.belay.toolbox.file;

import dev.belay.schema.Description;
import dev.belay.schema.Length;
import dev.belay.schema.Range;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.option.Scheduling;
import java.util.Optional;
import java.util.OptionalInt;

/** The calls of the file tools. No field chooses a root or a rule. */
final class FileCalls {

    private static final int PATH = 4096;
    private static final int PATTERN = 1000;

    private FileCalls() {}

    @Tool(effect = ToolEffect.READ, tags = "file")
    @Description("Reads a text file of the workspace, a page of lines at a time. The answer ends with a line in brackets "
            + "when there is more to read. A character that cannot be seen is written as <U+001B>.")
    record ReadFile(
            @Description("path relative to the workspace") @Length(min = 1, max = PATH) String path,
            @Description("number of the first line to read; 1 if left out") @Range(min = 1) OptionalInt from,
            @Description("how many lines to read; 400 if left out") @Range(min = 1, max = 2000) OptionalInt lines)
            implements
                ToolInput<String> {}

    @Tool(effect = ToolEffect.READ, tags = "file")
    @Description("Lists a directory of the workspace: one name per line, sorted; directories end with /, links with @.")
    record ListDir(
            @Description("directory relative to the workspace; the workspace itself if left out") Optional<@Length(max = PATH) String> path)
            implements
                ToolInput<String> {}

    @Tool(effect = ToolEffect.READ, tags = "file")
    @Description("Finds files of the workspace by name. Links are not followed.")
    record Glob(
            @Description("such as *.md (anywhere) or src/**/*.java; * and ? stay within a name, ** crosses directories, {a,b} is a choice") @Length(min = 1, max = PATTERN) String pattern,
            @Description("directory to look in; the workspace itself if left out") Optional<@Length(max = PATH) String> path)
            implements
                ToolInput<String> {}

    @Tool(effect = ToolEffect.READ, tags = "file")
    @Description("Finds lines in the text files of the workspace. Answers with PATH:LINE: TEXT for each, sorted. Binary files and "
            + "links are passed over.")
    record Grep(
            @Description("regular expression, in JavaScript's form, without back-references") @Length(min = 1, max = PATTERN) String pattern,
            @Description("file or directory to look in; the workspace itself if left out") Optional<@Length(max = PATH) String> path,
            @Description("only files whose path fits this pattern, such as *.java") Optional<@Length(min = 1, max = PATTERN) String> files,
            @Description("whether letter case is ignored; false if left out") Optional<Boolean> ignoreCase,
            @Description("at most this many lines; 100 if left out") @Range(min = 1, max = 1000) OptionalInt most)
            implements
                ToolInput<String> {}

    @Tool(effect = ToolEffect.IDEMPOTENT, scheduling = Scheduling.SERIAL, tags = "file")
    @Description("Writes a whole text file of the workspace, new or in place of what is there. Directories on the way are made. Use "
            + "edit_file to change part of a file.")
    record WriteFile(
            @Description("path relative to the workspace") @Length(min = 1, max = PATH) String path,
            @Description("the whole new content") String content) implements ToolInput<String> {}

    @Tool(effect = ToolEffect.IDEMPOTENT, scheduling = Scheduling.SERIAL, tags = "file")
    @Description("Replaces text in a file of the workspace. The text to find must be exact, blanks and line breaks included, and "
            + "occur once unless all is true.")
    @SuppressWarnings("MemberName") // models know these names
    record EditFile(
            @Description("path relative to the workspace") @Length(min = 1, max = PATH) String path,
            @Description("the exact text to replace") Optional<@Length(min = 1) String> find,
            @Description("the text to put in its place; may be empty") Optional<String> replace,
            @Description("whether to replace every occurrence; false if left out") Optional<Boolean> all,
            @Description("another name of find") Optional<@Length(min = 1) String> old_string,
            @Description("another name of replace") Optional<String> new_string,
            @Description("another name of all") Optional<Boolean> replace_all,
            @Description("instead of find and replace: a unified diff of this file") Optional<@Length(min = 1) String> patch)
            implements
                ToolInput<String> {}
}
