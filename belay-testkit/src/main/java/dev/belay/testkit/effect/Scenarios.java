package dev.belay.testkit.effect;

/** Scenarios of {@link EffectHostContract}; each group is a file. */
interface Scenarios {

    /** Where this test plays. */
    Stage stage();
}
