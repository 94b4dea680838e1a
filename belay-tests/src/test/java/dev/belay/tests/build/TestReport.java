package dev.belay.tests.build;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** A report that a module's tests left. Surefire counts skipped tests on the console and keeps their reasons here. */
final class TestReport {

    private TestReport() {}

    /**
     * A test that did not run.
     *
     * @param test its class and name
     * @param reason why, or blank
     */
    record Skip(String test, String reason) {}

    static List<Skip> skips(String xml) {
        List<Skip> skips = new ArrayList<>();
        try {
            NodeList found = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(xml)))
                    .getElementsByTagName("skipped");
            for (int i = 0; i < found.getLength(); i++) {
                Element skipped = (Element) found.item(i);
                Element test = (Element) skipped.getParentNode();
                skips.add(new Skip(test.getAttribute("classname") + "." + test.getAttribute("name"),
                        skipped.getAttribute("message").isBlank()
                                ? firstLine(skipped)
                                : skipped.getAttribute("message")));
            }
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new IllegalArgumentException("not a test report: " + xml, e);
        }
        return skips;
    }

    /** A failed assumption leaves its stack trace, whose first line ends in the reason. */
    private static String firstLine(Element skipped) {
        return skipped.getTextContent().strip().lines().findFirst().orElse("");
    }
}
