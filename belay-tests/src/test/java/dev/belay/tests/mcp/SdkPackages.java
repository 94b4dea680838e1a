package dev.belay.tests.mcp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;

/** The Java SDK of the protocol, copied once below {@code target} by Maven, and a server that uses it. */
final class SdkPackages {

    private static final Path FOLDER = NodePackages.folder().resolve("sdk");
    private static final String POM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
            <groupId>peer</groupId><artifactId>peer</artifactId><version>1</version><packaging>pom</packaging>
            <dependencies><dependency><groupId>io.modelcontextprotocol.sdk</groupId><artifactId>mcp</artifactId>
            <version>2.1.0</version></dependency></dependencies></project>
            """;

    private SdkPackages() {}

    /** The command that starts the server; fails where Maven cannot get the SDK. */
    static String[] server() throws IOException, InterruptedException {
        Path jars = FOLDER.resolve("jars");
        if (!Files.exists(jars.resolve("mcp-2.1.0.jar"))) {
            Files.createDirectories(FOLDER);
            Files.writeString(FOLDER.resolve("pom.xml"), POM);
            NodePackages.install(FOLDER, List.of("mvn", "-q", "-B",
                    "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies",
                    "-DoutputDirectory=jars"), "see that Maven reaches its registry");
        }
        Path source = FOLDER.resolve("SdkServer.java");
        try (InputStream text = Objects
                .requireNonNull(SdkPackages.class.getResourceAsStream("/mcp-sdk-server.txt"))) {
            Files.copy(text, source, StandardCopyOption.REPLACE_EXISTING);
        }
        return new String[]{Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
            jars + "/*", source.toString()};
    }
}
