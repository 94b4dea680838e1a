package dev.belay.tool.context;

/** A context that brings values of the host for this call alone, beside those of the provider. Implemented by runtimes. */
public interface HostSupplied {

    /** What the host supplies to this call. */
    HostValues hostValues();
}
