package dev.belay.model.form;

import dev.belay.model.Message;
import dev.belay.model.Part.AssistantPart;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.Part.UserPart;
import java.util.function.IntPredicate;

/**
 * Counts what a tokenizer would make of a text, by the rules by which tokenizers cut texts before they look at their vocabulary: words with the
 * space before them, numbers in groups of three, runs of punctuation, line breaks with the indentation behind them. Which words are one token
 * depends on the vocabulary; here that depends on their length. Linear in the text.
 *
 * @param alphabetic thousandths of tokens in words, numbers, punctuation and white space
 * @param wide characters of scripts without spaces: Chinese, Japanese, Korean; every family reads those at its own price
 */
public record TextTokens(long alphabetic, long wide) {

    /** Nothing. */
    public static final TextTokens NONE = new TextTokens(0, 0);

    /** A picture or a file: what providers take for one is between some hundred and some thousand. */
    private static final long ATTACHMENT = 1_200_000;
    /** What stands around a message on the wire: its role, its ends. */
    private static final long AROUND_MESSAGE = 4_000;
    /** What stands around a call or a reply: its id, its type. */
    private static final long AROUND_CALL = 12_000;

    /** The sum. */
    public TextTokens plus(TextTokens more) {
        return new TextTokens(alphabetic + more.alphabetic, wide + more.wide);
    }

    /** The difference. */
    public TextTokens minus(TextTokens less) {
        return new TextTokens(alphabetic - less.alphabetic, wide - less.wide);
    }

    private TextTokens plus(long thousandths) {
        return new TextTokens(alphabetic + thousandths, wide);
    }

    /** A whole message. */
    public static TextTokens of(Message message) {
        TextTokens sum = new TextTokens(AROUND_MESSAGE, 0);
        switch (message) {
            case Message.SystemMessage system -> sum = sum.plus(of(system.text()));
            case Message.UserMessage user -> {
                for (UserPart part : user.parts()) {
                    sum = part instanceof TextPart(String text) ? sum.plus(of(text)) : sum.plus(ATTACHMENT);
                }
            }
            case Message.AssistantMessage assistant -> {
                for (AssistantPart part : assistant.parts()) {
                    sum = sum.plus(of(part));
                }
            }
            case Message.ToolMessage tools -> {
                for (ReplyPart reply : tools.replies()) {
                    sum = sum.plus(of(reply.text())).plus(AROUND_CALL);
                }
                sum = sum.plus(ATTACHMENT * NamedPictures.count(tools));
            }
        }
        return sum;
    }

    private static TextTokens of(AssistantPart part) {
        return switch (part) {
            case TextPart(String text) -> of(text);
            case ReasoningPart(String text) -> of(text);
            case RefusalPart(String text) -> of(text);
            case CallPart(String id, String name, String arguments) ->
                of(name).plus(of(arguments)).plus(AROUND_CALL);
        };
    }

    /** A text. */
    public static TextTokens of(String text) {
        return new Scan(text).count();
    }

    /** One pass over a text. */
    private static final class Scan {

        private final String text;
        private int at;
        private long alphabetic;
        private long wide;

        Scan(String text) {
            this.text = text;
        }

        TextTokens count() {
            while (at < text.length()) {
                char first = text.charAt(at);
                if (first == ' ' || first == '\t' || first == '\n' || first == '\r') {
                    space();
                } else if (first >= '0' && first <= '9') {
                    alphabetic += 1_100L * ((run(c -> c >= '0' && c <= '9') + 2) / 3);
                } else if (isLetter(first)) {
                    word(first);
                } else if (isMark(first)) {
                    punctuation();
                } else if (isWide(first)) {
                    wide += run(Scan::isWide);
                } else { // other scripts, symbols, halves of pairs, control characters
                    at++;
                    alphabetic += 900;
                }
            }
            return new TextTokens(alphabetic, wide);
        }

        private int run(IntPredicate is) {
            int from = at;
            while (at < text.length() && is.test(text.charAt(at))) {
                at++;
            }
            return at - from;
        }

        private static boolean isLetter(int c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c < 0x250);
        }

        private static boolean isWide(int c) {
            return (c >= 0x2E80 && c < 0xD800) || (c >= 0xF900 && c < 0xFB00) || (c >= 0xFF00 && c < 0xFFF0);
        }

        /** One space belongs to the word behind it, line breaks to the punctuation before them. */
        private void space() {
            int from = at;
            boolean afterMark = from > 0 && isMark(text.charAt(from - 1));
            int length = run(c -> c == ' ' || c == '\t' || c == '\n' || c == '\r');
            if (afterMark && text.charAt(from) == '\n') {
                length--;
            }
            if (length > 1 || (length == 1 && text.charAt(at - 1) == '\n')) {
                alphabetic += 1_000L + 1_000L * (length / 40);
            }
        }

        /** Words begin anew at capital letters, as in names of programs. */
        private void word(char first) {
            int from = at++;
            boolean capitals = isCapital(first);
            while (at < text.length() && isLetter(text.charAt(at))) {
                boolean capital = isCapital(text.charAt(at));
                if (capital && !capitals) {
                    break;
                }
                capitals &= capital;
                at++;
            }
            int length = at - from;
            if (capitals && length > 1) {
                alphabetic += 1_000L * ((length + 2) / 3);
            } else {
                boolean apart = from == 0 || text.charAt(from - 1) == ' ';
                alphabetic += (apart ? 1_000 : 900) + 70L * Math.max(0, length - 5);
            }
        }

        private static boolean isMark(int c) {
            return c > ' ' && c < 128 && !isLetter(c) && !(c >= '0' && c <= '9');
        }

        private static boolean isCapital(char c) {
            return c >= 'A' && c <= 'Z';
        }

        private void punctuation() {
            int length = run(Scan::isMark);
            alphabetic += length == 1 ? 850 : 1_100 + 150L * Math.max(0, length - 3);
        }
    }
}
