package dev.belay.examples.firsttool;

/** Runs the example. */
final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.out.println("Belay is built and runs.");
    }
}
