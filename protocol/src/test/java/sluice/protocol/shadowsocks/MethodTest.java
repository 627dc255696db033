package sluice.protocol.shadowsocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.config.Refusal;

class MethodTest {

    @ParameterizedTest
    @EnumSource(Method.class)
    void namesAreReadInAnyCase(Method method) {
        assertThat(Method.parse(method.text())).isSameAs(method);
        assertThat(Method.parse(method.text().toUpperCase(Locale.ROOT))).isSameAs(method);
        assertThat(Shadowsocks.methodName(" " + method.text() + "\n")).isEqualTo(method.text());
    }

    @ParameterizedTest
    @CsvSource({
        "plain,NONE",
        "dummy,NONE",
        "AEAD_AES_128_GCM,AES_128_GCM",
        "aead_aes_256_gcm,AES_256_GCM",
        "aead_chacha20_poly1305,CHACHA20_IETF_POLY1305",
        "chacha20-poly1305,CHACHA20_IETF_POLY1305",
        "xchacha20-poly1305,XCHACHA20_IETF_POLY1305",
        "aead_xchacha20_poly1305,XCHACHA20_IETF_POLY1305"
    })
    void otherSpellingsAreRead(String alias, Method method) {
        assertThat(Method.parse(alias)).isSameAs(method);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rc4-md5",
                "aes-256-cfb",
                "aes-128-ctr",
                "chacha20-ietf",
                "chacha20",
                "bf-cfb",
                "salsa20"
            })
    void streamCiphersAreRefusedByName(String name) {
        assertThat(refusal(name).getMessage()).contains(name).contains("without integrity");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "chacha8-ietf-poly1305",
                "xchacha8-ietf-poly1305",
                "rabbit128-poly1305",
                "aes-128-ccm",
                "aes-256-gcm-siv",
                "aegis-128l",
                "lea-128-gcm",
                "2022-blake3-chacha8-poly1305",
                "2022-blake3-aes-128-ccm"
            })
    void privateMethodsAreRefusedByName(String name) {
        assertThat(refusal(name).getMessage()).contains(name).contains("private");
    }

    @Test
    void noSlipIsToldToEncryptNothing() {
        assertThat(refusal("nope").mend()).doesNotContain("none");
    }

    @Test
    void misspeltNamesGetTheNearestOne() {
        assertThat(refusal("2022-blake3-aes-128-gmc").mend())
                .isEqualTo("write 2022-blake3-aes-128-gcm");
        assertThat(refusal("aes-265-gcm").mend()).isEqualTo("write aes-256-gcm");
        assertThat(refusal("nonsense-of-its-own").mend()).contains("2022-blake3-aes-128-gcm");
    }

    @Test
    void keysHaveTheLengthOfTheMethod() {
        assertThat(Shadowsocks.keyBytes("2022-blake3-aes-128-gcm")).isEqualTo(16);
        assertThat(Shadowsocks.keyBytes("2022-blake3-chacha20-poly1305")).isEqualTo(32);
        assertThat(Shadowsocks.keyBytes("aes-256-gcm")).as("any password will do").isZero();
        assertThat(Shadowsocks.keyBytes("none")).isZero();
    }

    private static Refusal refusal(String name) {
        return catchThrowableOfType(Refusal.class, () -> Method.parse(name));
    }
}
