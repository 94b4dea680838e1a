package dev.belay.laws.effect;

/** A group of scenarios of {@link EffectHostContract}; each group is a file. */
interface Scenarios {

    /** The stage of this test. */
    Stage stage();
}
