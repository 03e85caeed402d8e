package dev.graspsync.nostr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** NIP-19, with the examples of its text. */
class Nip19Test {

    private static final PublicKey FIATJAF =
            PublicKey.ofHex("3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d");

    @Test
    void anAuthorOfTheSpecification() {
        assertThat(Nip19.parse("npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"))
                .contains(new Nip19.OfAuthor(
                        PublicKey.ofHex("7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e"),
                        List.of()));
    }

    @Test
    void aProfileOfTheSpecificationWithItsRelays() {
        assertThat(Nip19.parse("nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7"
                        + "mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p"))
                .contains(new Nip19.OfAuthor(
                        FIATJAF,
                        List.of(
                                RelayUrl.parse("wss://r.x.com").orElseThrow(),
                                RelayUrl.parse("wss://djbas.sadkb.com").orElseThrow())));
    }

    @Test
    void anAddressThereAndBack() {
        Nip19.OfAddress address = new Nip19.OfAddress(
                new Address(Kind.REPO_ANNOUNCEMENT, FIATJAF, "grüße:1"),
                List.of(RelayUrl.parse("wss://relay.example/path").orElseThrow()));

        assertThat(address.text()).startsWith("naddr1");
        assertThat(Nip19.parse(address.text())).contains(address);
        assertThat(Nip19.parse(address.text().toUpperCase(java.util.Locale.ROOT)))
                .contains(address);
    }

    @Test
    void anEventWithAndWithoutHints() {
        EventId id = new EventId(1, 2, 3, 4);
        String note = new Bech32("note", id.bytes()).text();
        byte[] hinted = new byte[34 + 34 + 6];
        hinted[1] = 32;
        System.arraycopy(id.bytes(), 0, hinted, 2, 32);
        hinted[34] = 2;
        hinted[35] = 32;
        System.arraycopy(FIATJAF.bytes(), 0, hinted, 36, 32);
        hinted[68] = 3;
        hinted[69] = 4;
        hinted[72] = 6;
        hinted[73] = 0x55;

        assertThat(Nip19.parse(note)).contains(new Nip19.OfEvent(id, List.of(), Optional.empty(), OptionalInt.empty()));
        assertThat(Nip19.parse(new Bech32("nevent", hinted).text()))
                .contains(new Nip19.OfEvent(id, List.of(), Optional.of(FIATJAF), OptionalInt.of(1621)));
    }

    @Test
    void everyDamagedCharacterIsNoticed() {
        String text = new Bech32("note", new EventId(5, 6, 7, 8).bytes()).text();
        for (int i = 5; i < text.length(); i++) {
            char other = text.charAt(i) == 'q' ? 'p' : 'q';
            assertThat(Nip19.parse(text.substring(0, i) + other + text.substring(i + 1)))
                    .as("character %d", i)
                    .isEmpty();
        }
    }

    @Test
    void whatIsCutShortOrOfTheWrongLengthIsNothing() {
        assertThat(Nip19.parse(new Bech32("note", new byte[31]).text())).isEmpty();
        assertThat(Nip19.parse(new Bech32("npub", new byte[33]).text())).isEmpty();
        assertThat(Nip19.parse(new Bech32("nevent", new byte[] {0, 32, 1}).text()))
                .isEmpty();
        assertThat(Nip19.parse(new Bech32("naddr", new byte[] {0, 1, 'x'}).text()))
                .isEmpty();
        assertThat(Nip19.parse(new Bech32("nsec", new byte[32]).text())).isEmpty();
        for (String text : List.of("", "1", "note1", "note1qqqqqq", "Note1qqqqqqq", "n", "note1b", "note1é")) {
            assertThat(Nip19.parse(text)).as(text).isEmpty();
        }
    }

    @Test
    void anyBytesGoThereAndBack() {
        Random random = new Random(19);
        for (int length = 0; length < 200; length++) {
            byte[] data = new byte[length];
            random.nextBytes(data);
            String text = new Bech32("x", data).text();
            assertThat(Bech32.parse(text).orElseThrow().data()).isEqualTo(data);
        }
    }
}
