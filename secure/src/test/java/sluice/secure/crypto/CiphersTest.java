package sluice.secure.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import sluice.testkit.Allocations;
import sluice.testkit.Vectors;

class CiphersTest {

    private static final Vectors VECTORS = Vectors.load("secure/primitives.hex");

    /// What the JDK allocates for a record (952 to 1,010 bytes with AES-GCM, 1,250 to 2,310 with
    /// ChaCha20-Poly1305 on JDK 25), and a little more.
    private static long recordBytesMax(Aead aead) {
        return aead.isAes() ? 1_200 : 2_600;
    }

    private final Ciphers ciphers = new Ciphers();

    @ParameterizedTest
    @CsvSource({"AES_128_GCM,gcm128", "AES_192_GCM,gcm192", "AES_256_GCM,gcm256"})
    void sealsAndOpensThePublishedGcmVectors(Aead aead, String name) {
        AeadKey key = AeadKey.of(aead, VECTORS.get(name + ".key"));
        byte[] nonce = VECTORS.get("gcm.nonce");
        byte[] plain = VECTORS.get("gcm.plain");
        byte[] sealed = VECTORS.get(name + ".sealed");

        assertThat(seal(key, nonce, plain)).isEqualTo(sealed);
        byte[] opened = new byte[plain.length];
        assertThat(ciphers.open(key, nonce, 0, sealed, 0, sealed.length, opened, 0))
                .isEqualTo(plain.length);
        assertThat(opened).isEqualTo(plain);
    }

    @Test
    void chachaGivesThePublishedCiphertext() {
        AeadKey key = AeadKey.of(Aead.CHACHA20_POLY1305, VECTORS.get("chacha.key"));
        byte[] sealed = seal(key, VECTORS.get("chacha.nonce"), VECTORS.get("sunscreen"));
        assertThat(withoutTag(sealed)).isEqualTo(VECTORS.get("chacha.ciphertext"));
    }

    @Test
    void xchachaGivesThePublishedCiphertext() {
        AeadKey key = AeadKey.of(Aead.XCHACHA20_POLY1305, VECTORS.get("chacha.key"));
        byte[] sealed = seal(key, VECTORS.get("xchacha.nonce"), VECTORS.get("sunscreen"));
        assertThat(withoutTag(sealed)).isEqualTo(VECTORS.get("xchacha.ciphertext"));
    }

    @Test
    void hchachaGivesThePublishedKey() {
        byte[] out = new byte[32];
        new HChaCha20().derive(VECTORS.get("hchacha.key"), VECTORS.get("hchacha.nonce"), 0, out);
        assertThat(out).isEqualTo(VECTORS.get("hchacha.out"));
    }

    @Test
    void hkdfGivesThePublishedKey() {
        byte[] salt = VECTORS.get("hkdf.salt");
        byte[] out = new byte[42];
        new HkdfSha1()
                .derive(
                        salt,
                        0,
                        salt.length,
                        VECTORS.get("hkdf.key"),
                        VECTORS.get("hkdf.info"),
                        out,
                        42);
        assertThat(out).isEqualTo(VECTORS.get("hkdf.out"));

        AeadKey key =
                ciphers.hkdfSha1(
                        Aead.AES_192_GCM,
                        salt,
                        0,
                        salt.length,
                        VECTORS.get("hkdf.key"),
                        VECTORS.get("hkdf.info"));
        assertThat(key.getEncoded()).isEqualTo(Arrays.copyOf(out, 24));
    }

    @ParameterizedTest
    @CsvSource({"AES_128_GCM,aes128", "AES_256_GCM,aes256"})
    void blocksGoThereAndBack(Aead aead, String name) {
        AeadKey key = AeadKey.of(aead, VECTORS.get(name + ".key"));
        byte[] block = new byte[20];
        System.arraycopy(VECTORS.get("aes.plain"), 0, block, 3, 16);
        ciphers.encryptBlock(key, block, 3, block, 3);
        assertThat(Arrays.copyOfRange(block, 3, 19)).isEqualTo(VECTORS.get(name + ".block"));
        ciphers.decryptBlock(key, block, 3, block, 2);
        assertThat(Arrays.copyOfRange(block, 2, 18)).isEqualTo(VECTORS.get("aes.plain"));
    }

    @Test
    void blockKeysAlternate() {
        AeadKey small = AeadKey.of(Aead.AES_128_GCM, VECTORS.get("aes128.key"));
        AeadKey large = AeadKey.of(Aead.AES_256_GCM, VECTORS.get("aes256.key"));
        byte[] out = new byte[16];
        for (int i = 0; i < 3; i++) {
            ciphers.encryptBlock(small, VECTORS.get("aes.plain"), 0, out, 0);
            assertThat(out).isEqualTo(VECTORS.get("aes128.block"));
            ciphers.encryptBlock(large, VECTORS.get("aes.plain"), 0, out, 0);
            assertThat(out).isEqualTo(VECTORS.get("aes256.block"));
        }
    }

    @Test
    void blake3GivesThePublishedHashes() {
        assertThat(Digests.blake3(new byte[0], 32)).isEqualTo(VECTORS.get("blake3.hash0"));
        assertThat(Digests.blake3(new byte[1], 32)).isEqualTo(VECTORS.get("blake3.hash1"));
        assertThat(Digests.blake3(new byte[1], 16))
                .isEqualTo(Arrays.copyOf(VECTORS.get("blake3.hash1"), 16));
    }

    @Test
    void blake3DerivesThePublishedKeys() {
        Blake3Kdf kdf = ciphers.blake3Kdf(VECTORS.text("blake3.context"));
        byte[] none = {};
        assertThat(kdf.derive(Aead.AES_256_GCM, none, none, 0, 0).getEncoded())
                .isEqualTo(VECTORS.get("blake3.derived0"));
        assertThat(kdf.derive(Aead.AES_256_GCM, none, new byte[3], 1, 1).getEncoded())
                .isEqualTo(VECTORS.get("blake3.derived1"));
        assertThat(kdf.derive(Aead.AES_128_GCM, new byte[1], none, 0, 0).getEncoded())
                .isEqualTo(Arrays.copyOf(VECTORS.get("blake3.derived1"), 16));
        assertThat(ciphers.blake3Kdf(VECTORS.text("blake3.context"))).isSameAs(kdf);
    }

    @Test
    void passwordsBecomeTheKeysOpensslMakes() {
        for (String password : new String[] {"test", "password", "foobar"}) {
            byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
            byte[] key = VECTORS.get("evp." + password);
            assertThat(Digests.evpBytesToKey(bytes, 32)).isEqualTo(key);
            assertThat(Digests.evpBytesToKey(bytes, 16)).isEqualTo(Arrays.copyOf(key, 16));
            assertThat(Digests.evpBytesToKey(bytes, 24)).isEqualTo(Arrays.copyOf(key, 24));
        }
    }

    @ParameterizedTest
    @EnumSource(Aead.class)
    void whatIsSealedOpensAndNothingElseDoes(Aead aead) {
        Random random = new Random(aead.ordinal());
        AeadKey key = key(aead, random);
        for (int size : new int[] {0, 1, 2, 15, 16, 17, 768, 1400, 16_383, 65_535}) {
            byte[] plain = new byte[size];
            random.nextBytes(plain);
            byte[] sealed = new byte[size + Aead.TAG_BYTES + 3];
            long counter = random.nextLong();
            assertThat(ciphers.seal(key, counter, plain, 0, size, sealed, 3))
                    .isEqualTo(size + Aead.TAG_BYTES);
            byte[] opened = new byte[size + 1];
            assertThat(ciphers.open(key, counter, sealed, 3, size + Aead.TAG_BYTES, opened, 1))
                    .isEqualTo(size);
            assertThat(Arrays.copyOfRange(opened, 1, size + 1)).isEqualTo(plain);

            assertThat(ciphers.open(key, counter + 1, sealed, 3, size + Aead.TAG_BYTES, opened, 1))
                    .isEqualTo(-1);
            sealed[3 + random.nextInt(size + Aead.TAG_BYTES)] ^= 1;
            assertThat(ciphers.open(key, counter, sealed, 3, size + Aead.TAG_BYTES, opened, 1))
                    .isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @EnumSource(Aead.class)
    void openingTheSameTwiceIsTheBusinessOfTheCaller(Aead aead) {
        Random random = new Random(7);
        AeadKey key = key(aead, random);
        byte[] sealed = new byte[5 + Aead.TAG_BYTES];
        ciphers.seal(key, 0, new byte[5], 0, 5, sealed, 0);
        for (int i = 0; i < 3; i++) {
            assertThat(ciphers.open(key, 0, sealed, 0, sealed.length, new byte[5], 0)).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource(Aead.class)
    void refusesToSealTwiceUnderOneNonce(Aead aead) {
        AeadKey key = key(aead, new Random(8));
        byte[] out = new byte[21];
        ciphers.seal(key, 5, new byte[5], 0, 5, out, 0);
        assertThatThrownBy(() -> ciphers.seal(key, 5, new byte[5], 0, 5, out, 0))
                .isInstanceOf(AssertionError.class);
        assertThat(ciphers.seal(key, 6, new byte[5], 0, 5, out, 0)).isEqualTo(21);
    }

    @ParameterizedTest
    @EnumSource(Aead.class)
    void shortsAreRecordsOfTheirOwn(Aead aead) {
        AeadKey key = key(aead, new Random(9));
        byte[] sealed = new byte[18];
        for (int value : new int[] {0, 1, 255, 256, 0x3fff, 0xffff}) {
            assertThat(ciphers.sealShort(key, value, value, sealed, 0)).isEqualTo(18);
            assertThat(ciphers.openShort(key, value, sealed, 0)).isEqualTo(value);
            byte[] plain = new byte[2];
            assertThat(ciphers.open(key, value, sealed, 0, 18, plain, 0)).isEqualTo(2);
            assertThat((plain[0] & 0xff) << 8 | plain[1] & 0xff).isEqualTo(value);
            for (int bit = 0; bit < 18 * 8; bit++) {
                sealed[bit >> 3] ^= (byte) (1 << (bit & 7));
                assertThat(ciphers.openShort(key, value, sealed, 0)).isEqualTo(-1);
                sealed[bit >> 3] ^= (byte) (1 << (bit & 7));
            }
        }
    }

    @Test
    void whatHasNoRoomForATagDoesNotOpen() {
        AeadKey key = key(Aead.AES_128_GCM, new Random(1));
        assertThat(ciphers.open(key, 0, new byte[15], 0, 15, new byte[15], 0)).isEqualTo(-1);
    }

    @Test
    void keysDoNotShowThemselves() {
        AeadKey key = key(Aead.AES_128_GCM, new Random(1));
        assertThat(key.toString()).isEqualTo("AES_128_GCM ***");
        assertThatThrownBy(() -> AeadKey.of(Aead.AES_256_GCM, new byte[31]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("32");
    }

    @ParameterizedTest
    @EnumSource(Aead.class)
    void recordsCostWhatTheJdkAllocatesAndNoMore(Aead aead) {
        AeadKey key = key(aead, new Random(2));
        byte[] plain = new byte[1400];
        byte[] sealed = new byte[1416];
        long[] counter = {0};
        long sealing =
                Allocations.bytesPerRun(
                        () -> ciphers.seal(key, counter[0]++, plain, 0, 1400, sealed, 0));
        assertThat(sealing).isLessThan(recordBytesMax(aead));
        byte[][] both = new byte[2][1416];
        ciphers.seal(key, 0, plain, 0, 1400, both[0], 0);
        ciphers.seal(key, 1, plain, 0, 1400, both[1], 0);
        long opening =
                Allocations.bytesPerRun(() -> {
                    long turn = counter[0]++ & 1;
                    ciphers.open(key, turn, both[(int) turn], 0, 1416, plain, 0);
                });
        assertThat(opening).isLessThan(recordBytesMax(aead));
    }

    @Test
    void blocksAndDerivationsAllocateAlmostNothing() {
        AeadKey key = key(Aead.AES_128_GCM, new Random(3));
        byte[] block = new byte[16];
        assertThat(Allocations.bytesPerRun(() -> ciphers.decryptBlock(key, block, 0, block, 0)))
                .isLessThan(64);
        byte[] info = {1};
        assertThat(
                        Allocations.bytesPerRun(() ->
                                ciphers.hkdfSha1(Aead.AES_128_GCM, block, 0, 16, block, info)))
                .as("the key alone")
                .isLessThan(80);
    }

    private byte[] seal(AeadKey key, byte[] nonce, byte[] plain) {
        byte[] sealed = new byte[plain.length + Aead.TAG_BYTES];
        assertThat(ciphers.seal(key, nonce, 0, plain, 0, plain.length, sealed, 0))
                .isEqualTo(sealed.length);
        return sealed;
    }

    private static AeadKey key(Aead aead, Random random) {
        byte[] bytes = new byte[aead.keyBytes()];
        random.nextBytes(bytes);
        return AeadKey.of(aead, bytes);
    }

    private static byte[] withoutTag(byte[] sealed) {
        return Arrays.copyOf(sealed, sealed.length - Aead.TAG_BYTES);
    }
}
