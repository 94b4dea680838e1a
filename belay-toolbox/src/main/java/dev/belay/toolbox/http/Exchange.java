package dev.belay.toolbox.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * One call: resolves, connects, asks. Runs on a thread of its own, because only closing the socket ends a read
 * in progress; the waiting thread closes it.
 */
final class Exchange {

    private static final int CONNECT_MILLIS = 10_000;

    private final HttpRules rules;
    private @Nullable Socket socket;
    private boolean stopped;

    /** The answer and where it came from. */
    record Page(Target from, PageAnswer answer) {}

    Exchange(HttpRules rules) {
        this.rules = rules;
    }

    /** Asks once. */
    Page run(String url) throws IOException {
        Target target = Target.of(url, rules);
        return new Page(target, ask(target));
    }

    /** Ends the request in progress, and lets no other begin. */
    synchronized void stop() {
        stopped = true;
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException alreadyClosed) {
                // closed is all that is needed
            }
        }
    }

    private synchronized void hold(Socket opened) throws IOException {
        socket = opened;
        if (stopped) {
            opened.close();
            throw new IOException("it was stopped");
        }
    }

    private PageAnswer ask(Target target) throws IOException {
        try (Socket connected = connect(target.addresses(rules), target.port())) {
            Socket talking = target.secure() ? secured(connected, target) : connected;
            hold(talking);
            talking.getOutputStream().write(request(target));
            talking.getOutputStream().flush();
            InputStream in = new BufferedInputStream(talking.getInputStream());
            try {
                return PageAnswer.read(in, rules.largest());
            } catch (SocketException e) {
                throw e;
            } catch (IOException e) {
                throw HttpRefusal.badAnswer(target.shown(), String.valueOf(e.getMessage()));
            }
        }
    }

    /** Connects to one of the addresses that were checked, and to no other. */
    private Socket connect(List<InetAddress> addresses, int port) throws IOException {
        IOException last = new IOException("there is no address");
        for (InetAddress address : addresses) {
            Socket opened = new Socket(Proxy.NO_PROXY);
            try {
                hold(opened);
                opened.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
                return opened;
            } catch (IOException e) {
                opened.close();
                last = e;
            }
        }
        throw last;
    }

    /** Speaks TLS over the connection; the certificate must be that of the name in the URL. */
    private Socket secured(Socket connected, Target target) throws IOException {
        SSLSocket secured = (SSLSocket) rules.tls()
                .createSocket(connected, target.host(), target.port(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    private static byte[] request(Target target) {
        return ("GET " + target.pathAndQuery() + " HTTP/1.1\r\n"
                + "Host: " + target.authority() + "\r\n"
                + "User-Agent: belay\r\n"
                + "Accept: text/*, application/json, application/xml;q=0.9, */*;q=0.1\r\n"
                + "Accept-Encoding: identity\r\n"
                + "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    }
}
