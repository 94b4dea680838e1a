package dev.belay.model.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.http.BaseUrl;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract: R.10, a base URL that is not loopback is said once, clearly. */
class OutsideNoticeTest {

    private final List<String> infos = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final OutsideNotice notice = new OutsideNotice(infos::add, warnings::add);

    @Test
    void thisMachineIsNotMentioned() {
        notice.about(BaseUrl.of("http://127.0.0.1:11434/v1"));
        notice.about(BaseUrl.of("http://localhost:1234/v1"));
        assertThat(infos).isEmpty();
        assertThat(warnings).isEmpty();
    }

    @Test
    void anotherMachineIsSaidOnce() {
        notice.about(BaseUrl.of("https://api.example.org/v1"));
        notice.about(BaseUrl.of("https://api.example.org/v2"));
        notice.about(BaseUrl.of("https://other.example.org/v1"));
        assertThat(infos).hasSize(2);
        assertThat(infos.getFirst()).contains("https://api.example.org").contains("leave this machine");
        assertThat(warnings).isEmpty();
    }

    @Test
    void withoutEncryptionItIsAWarning() {
        notice.about(BaseUrl.of("http://10.0.0.7:8000/v1"));
        assertThat(warnings).singleElement()
                .asString()
                .contains("WITHOUT ENCRYPTION")
                .contains("10.0.0.7:8000");
    }
}
