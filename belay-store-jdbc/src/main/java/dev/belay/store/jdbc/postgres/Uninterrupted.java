package dev.belay.store.jdbc.postgres;

/** Waits for threads whatever interrupts come, and gives the interrupt back. */
final class Uninterrupted {

    private Uninterrupted() {}

    static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive() && !Thread.currentThread().equals(thread)) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
