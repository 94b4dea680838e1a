package dev.belay.runtime.plugin.engine;

/** A plugin that must answer before a turn can go on has failed; ends the turn. */
public final class PluginFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient TurnHooked.Stop stop;

    PluginFailure(TurnHooked.Stop stop, Throwable cause) {
        super(stop.reason(), cause);
        this.stop = stop;
    }

    /** How the turn ends. */
    public TurnHooked.Stop stop() {
        return stop;
    }
}
