package dev.belay.tests.kill;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What really happened, kept by a process that is not killed. A body says {@code began KEY}, or {@code began KEY IDEMPOTENCY-KEY},
 * and goes on when it is answered, does its work, says {@code done KEY} and returns what it is answered: so the ledger knows of a body before it does anything, and of
 * its end before its outcome can be recorded.
 */
final class Ledger implements AutoCloseable {

    private final ServerSocket server;
    private final Map<String, Integer> began = new LinkedHashMap<>();
    private final Map<String, Integer> done = new LinkedHashMap<>();
    private final Map<String, String> held = new LinkedHashMap<>();
    private final Set<String> accepted = new LinkedHashSet<>();
    private final Map<String, String> keys = new LinkedHashMap<>();
    private final List<String> overlaps = new ArrayList<>();
    private final Map<String, Set<String>> idempotencyKeys = new LinkedHashMap<>();
    private int events;
    private int seen;

    Ledger() throws IOException {
        server = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::listen);
    }

    int port() {
        return server.getLocalPort();
    }

    private void listen() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private void serve(Socket socket) {
        var holds = new ArrayList<String>();
        try (socket;
                var in = new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                var out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(answer(line, holds));
            }
        } catch (IOException killed) {
            // so is its end of the connection
        } finally {
            release(holds);
        }
    }

    /** What a body or worker is answered. A resource is held until it is released or its process is dead. */
    private synchronized String answer(String line, List<String> holds) {
        events++;
        notifyAll();
        String[] words = line.split(" ", -1);
        String key = words[1];
        switch (words[0]) {
            case "began" -> {
                began.merge(key, 1, Integer::sum);
                if (words.length > 2) {
                    idempotencyKeys.computeIfAbsent(key, unused -> new LinkedHashSet<>()).add(words[2]);
                }
            }
            case "done" -> done.merge(key, 1, Integer::sum);
            case "accepted" -> accepted.add(key);
            case "waits" -> keys.put(key, words[2]);
            case "resolved" -> keys.remove(key);
            case "holds" -> {
                String other = held.put(key, words[2]);
                if (other != null) {
                    overlaps.add(key + " by " + other + " and " + words[2]);
                }
                holds.add(key);
            }
            case "frees" -> {
                held.remove(key);
                holds.remove(key);
            }
            default -> throw new IllegalStateException(line);
        }
        return "value-of-" + key;
    }

    private synchronized void release(List<String> holds) {
        holds.forEach(held::remove);
    }

    /** Waits until something has happened since this was last called. */
    synchronized void awaitEvent() throws InterruptedException {
        while (events == seen) {
            wait();
        }
        seen++;
    }

    /** Passes over what has happened until now. */
    synchronized void skip() {
        seen = events;
    }

    synchronized Map<String, Integer> began() {
        return Map.copyOf(began);
    }

    synchronized Map<String, Integer> done() {
        return Map.copyOf(done);
    }

    synchronized Set<String> accepted() {
        return Set.copyOf(accepted);
    }

    /** Keys of calls that wait, by the call's idempotency key. */
    synchronized Map<String, String> keys() {
        return Map.copyOf(keys);
    }

    /** The idempotency keys with which bodies began that have told them, by the call's key. */
    synchronized Map<String, Set<String>> idempotencyKeys() {
        return Map.copyOf(idempotencyKeys);
    }

    synchronized List<String> overlaps() {
        return List.copyOf(overlaps);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** The worker's end. Thread-safe: each body has a connection of its own. */
    static final class Client {

        private final int port;

        Client(int port) {
            this.port = port;
        }

        /** A conversation of one body. */
        final class Talk implements AutoCloseable {

            private final Socket socket;
            private final BufferedReader in;
            private final PrintWriter out;

            Talk() throws IOException {
                socket = new Socket(InetAddress.getLoopbackAddress(), port);
                in = new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8);
            }

            String say(String line) throws IOException {
                out.println(line);
                String answer = in.readLine();
                if (answer == null) {
                    throw new IOException("the ledger is gone");
                }
                return answer;
            }

            @Override
            public void close() throws IOException {
                socket.close();
            }
        }

        Talk talk() {
            try {
                return new Talk();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
