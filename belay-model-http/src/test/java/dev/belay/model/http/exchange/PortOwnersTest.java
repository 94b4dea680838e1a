package dev.belay.model.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.model.http.BaseUrl;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server on a usual port counts only if all who listen there are this user or root. */
@Timeout(60)
class PortOwnersTest {

    private static final BaseUrl OLLAMA = BaseUrl.of("http://127.0.0.1:11434/v1");
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
    private static final Path PERL = Path.of("/usr/bin/perl");

    @TempDir
    Path proc;

    /** A line as Linux writes it; the port 11434 is 2CAA. */
    private void table(String name, String local, String state, String user) throws IOException {
        Files.createDirectories(proc.resolve("net"));
        Files.writeString(proc.resolve("net").resolve(name),
                "  sl  local_address rem_address   st tx_queue rx_queue"
                        + " tr tm->when retrnsmt   uid  timeout inode\n   0: " + local + " 00000000:0000 "
                        + state
                        + " 00000000:00000000 00:00000000 00000000  " + user
                        + "        0 123 1 0 100 0 0 10 0\n");
    }

    private String stranger() throws IOException {
        if (Files.notExists(proc.resolve("self"))) {
            Files.createDirectory(proc.resolve("self"));
        }
        return new PortOwners(proc).stranger(OLLAMA).orElse("none");
    }

    @ParameterizedTest
    @CsvSource({"tcp,0100007F:2CAA", "tcp,00000000:2CAA", "tcp,7F000001:2CAA",
        "tcp6,00000000000000000000000000000000:2CAA", "tcp6,0000000000000000FFFF00000100007F:2CAA"})
    void everyAddressThatIsReachedCounts(String table, String local) throws IOException {
        table(table, local, "0A", "4242");
        assertThat(stranger()).isEqualTo("it belongs to the user with the number 4242");
        table(table, local, "0A", "0");
        assertThat(stranger()).as("root").isEqualTo("none");
        table(table, local, "0A", String.valueOf(Files.getAttribute(proc, "unix:uid")));
        assertThat(stranger()).as("this user").isEqualTo("none");
    }

    @ParameterizedTest
    @CsvSource({"0100007F:2CAB,0A", "0100007F:2CAA,01", "0501A8C0:2CAA,0A"})
    void otherPortsConnectionsAndAddressesDoNotCount(String local, String state) throws IOException {
        table("tcp", local, state, "0");
        assertThat(stranger()).isEqualTo("no process of this machine is known to listen there");
    }

    @Test
    void anotherUserBesideThisOneIsAStranger() throws IOException {
        table("tcp", "0100007F:2CAA", "0A", "0");
        table("tcp6", "00000000000000000000000000000000:2CAA", "0A", "4242");
        assertThat(stranger()).contains("4242");
    }

    @Test
    void aSystemWithoutTheseTablesTellsNothing() throws IOException {
        assertThat(stranger()).isEqualTo("none");
    }

    @Test
    void aListenerOfThisProcessIsNoStranger() throws IOException {
        assumeTrue(Files.isReadable(Path.of("/proc/net/tcp")), "this is no Linux");
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(new PortOwners(Path.of("/proc")).stranger(at(server.getLocalPort()))).isEmpty();
        }
    }

    @Test
    void aListenerOfAnotherUserIsAStranger() throws Exception {
        assumeTrue(ProcessHandle.current().info().user().orElse("").equals("root"),
                "only root can start a process of another user");
        assumeTrue(Files.isExecutable(SETPRIV) && Files.isExecutable(PERL),
                "there is no setpriv, or no perl");
        Process other = new ProcessBuilder(SETPRIV.toString(), "--reuid=4242", "--clear-groups",
                PERL.toString(),
                "-MIO::Socket::INET", "-e",
                """
                        $| = 1;
                        $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 0, Listen => 1) or die $!;
                        print $s->sockport, "\\n";
                        <STDIN>;
                        """)
                .start();
        try (var said = new BufferedReader(
                new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
            BaseUrl url = at(Integer.parseInt(said.readLine()));
            assertThat(new PortOwners(Path.of("/proc")).stranger(url))
                    .contains("it belongs to the user with the number 4242");
        } finally {
            other.destroy();
        }
    }

    private static BaseUrl at(int port) {
        return BaseUrl.of("http://127.0.0.1:" + port + "/v1");
    }
}
