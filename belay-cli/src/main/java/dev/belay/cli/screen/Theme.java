package dev.belay.cli.screen;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How styles look: colours of the terminal's own palette, for a dark or a light background, or nothing at all. */
public enum Theme {
    /** Bright colours. */
    DARK("1;96", "93", "94", "92", "91", "96", "1;93"),
    /** Dark colours; yellow and cyan cannot be read on white. */
    LIGHT("1;34", "35", "34", "32", "31", "34", "1;35"),
    /** No colours and no other attributes. */
    NONE("", "", "", "", "", "", "");

    /** Says which theme is meant, where the terminal cannot. */
    private static final String VARIABLE = "BELAY_THEME";
    /** Some terminals say which colours of the palette they use: the last one is the background. */
    private static final String BACKGROUND = "COLORFGBG";
    private static final Pattern LAST = Pattern.compile(";(\\d{1,2})$");
    private static final int WHITE = 7;
    private static final int GREY = 8;

    private final String heading;
    private final String code;
    private final String link;
    private final String good;
    private final String bad;
    private final String mark;
    private final String asks;

    Theme(String heading, String code, String link, String good, String bad, String mark, String asks) {
        this.heading = heading;
        this.code = code;
        this.link = link;
        this.good = good;
        this.bad = bad;
        this.mark = mark;
        this.asks = asks;
    }

    /** The theme of a terminal that has colours, by its variables. */
    public static Theme of(Map<String, String> variables) {
        String said = variables.getOrDefault(VARIABLE, "").toUpperCase(Locale.ROOT);
        for (Theme theme : values()) {
            if (theme.name().equals(said)) {
                return theme;
            }
        }
        Matcher background = LAST.matcher(variables.getOrDefault(BACKGROUND, ""));
        int colour = background.find() ? Integer.parseInt(background.group(1)) : 0;
        return colour == WHITE || colour > GREY ? LIGHT : DARK;
    }

    /** The parameters of the sequence that begins a style; empty for none. */
    String parameters(Style style) {
        if (this == NONE) {
            return "";
        }
        return switch (style) {
            case HEADING -> heading;
            case STRONG -> "1";
            case EMPHASIS -> "3";
            case CODE -> code;
            case LINK -> "4;" + link;
            case DIM -> "2";
            case ADDED, GOOD -> good;
            case REMOVED, BAD -> bad;
            case MARK -> mark;
            case ASKS -> asks;
        };
    }
}
