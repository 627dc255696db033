package sluice.policy.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import sluice.base.net.IpAddress;
import sluice.policy.limit.Admission.Verdict;
import sluice.testkit.Seeds;

final class AdmissionTest {
    private static final IpAddress ALICE = IpAddress.v4(0xc000_0201);
    private static final IpAddress BOB = IpAddress.v4(0xc000_0202);

    @Test
    void refusesBeyondTheTotal() {
        Admission admission = new Admission(new LimitOptions(2, 0, 0, 0));
        assertThat(admission.tryEnter(ALICE)).isEqualTo(Verdict.ADMITTED);
        assertThat(admission.tryEnter(BOB)).isEqualTo(Verdict.ADMITTED);
        assertThat(admission.tryEnter(BOB)).isEqualTo(Verdict.TOTAL_REACHED);
        admission.leave(ALICE, false);
        assertThat(admission.tryEnter(BOB)).isEqualTo(Verdict.ADMITTED);
    }

    @Test
    void refusesBeyondTheLimitOfOneAddressAndServesOthers() {
        Admission admission = new Admission(new LimitOptions(0, 1, 0, 0));
        assertThat(admission.tryEnter(ALICE)).isEqualTo(Verdict.ADMITTED);
        assertThat(admission.tryEnter(ALICE)).isEqualTo(Verdict.ADDRESS_REACHED);
        assertThat(admission.tryEnter(BOB)).isEqualTo(Verdict.ADMITTED);
    }

    @Test
    void aFinishedHandshakeMakesRoomForTheNext() {
        Admission admission = new Admission(new LimitOptions(0, 0, 2, 1));
        assertThat(admission.tryEnter(ALICE)).isEqualTo(Verdict.ADMITTED);
        assertThat(admission.tryEnter(ALICE)).isEqualTo(Verdict.ADDRESS_HANDSHAKES_REACHED);
        assertThat(admission.tryEnter(BOB)).isEqualTo(Verdict.ADMITTED);
        assertThat(admission.tryEnter(BOB)).isEqualTo(Verdict.HANDSHAKES_REACHED);
        admission.greeted(ALICE);
        assertThat(admission.tryEnter(ALICE)).isEqualTo(Verdict.ADMITTED);
        assertThat(admission.connectionsOf(ALICE)).isEqualTo(2);
    }

    @Test
    void ipv6ClientsAreCountedByTheirNetwork() {
        Admission admission = new Admission(new LimitOptions(0, 1, 0, 0));
        assertThat(admission.tryEnter(new IpAddress(7, 1, false))).isEqualTo(Verdict.ADMITTED);
        assertThat(admission.tryEnter(new IpAddress(7, 2, false)))
                .isEqualTo(Verdict.ADDRESS_REACHED);
        assertThat(admission.tryEnter(new IpAddress(8, 1, false))).isEqualTo(Verdict.ADMITTED);
        admission.leave(new IpAddress(7, 1, false), false);
        assertThat(admission.tryEnter(new IpAddress(7, 2, false))).isEqualTo(Verdict.ADMITTED);
    }

    @Test
    void aConnectionBehindAFrontIsCountedByWhoeverItIs() {
        Admission admission = new Admission(new LimitOptions(4, 1, 3, 1));
        assertThat(admission.tryEnter(null)).isEqualTo(Verdict.ADMITTED);
        assertThat(admission.tryEnter(null)).isEqualTo(Verdict.ADMITTED);
        assertThat(admission.tryEnter(null)).isEqualTo(Verdict.ADMITTED);
        assertThat(admission.tryEnter(null)).isEqualTo(Verdict.HANDSHAKES_REACHED);
        assertThat(admission.addresses()).isZero();

        assertThat(admission.tryName(ALICE)).isEqualTo(Verdict.ADMITTED);
        assertThat(admission.tryName(ALICE)).isEqualTo(Verdict.ADDRESS_REACHED);
        assertThat(admission.tryName(BOB)).isEqualTo(Verdict.ADMITTED);
        admission.leave(null, false);
        assertThat(admission.connections()).isEqualTo(2);
        admission.greeted(ALICE);
        assertThat(admission.handshakes()).isOne();

        admission.leave(ALICE, true);
        admission.leave(BOB, false);
        assertThat(admission.connections()).isZero();
        assertThat(admission.handshakes()).isZero();
        assertThat(admission.addresses()).isZero();
    }

    @Test
    void otherLimitsCountThoseWhoAreHere() {
        Admission admission = new Admission(LimitOptions.UNLIMITED);
        admission.tryEnter(ALICE);
        admission.tryEnter(ALICE);
        admission.follow(new LimitOptions(0, 2, 0, 0));
        assertThat(admission.tryEnter(ALICE)).isEqualTo(Verdict.ADDRESS_REACHED);
        assertThat(admission.tryEnter(BOB)).isEqualTo(Verdict.ADMITTED);
        admission.leave(ALICE, false);
        assertThat(admission.tryEnter(ALICE)).isEqualTo(Verdict.ADMITTED);
        admission.follow(LimitOptions.UNLIMITED);
        assertThat(admission.tryEnter(ALICE)).isEqualTo(Verdict.ADMITTED);
    }

    @Test
    void zeroIsNoLimit() {
        Admission admission = new Admission(LimitOptions.UNLIMITED);
        for (int i = 0; i < 10_000; i++) {
            assertThat(admission.tryEnter(ALICE)).isEqualTo(Verdict.ADMITTED);
        }
    }

    @Test
    void aLimitIsNotNegative() {
        assertThatThrownBy(() -> new LimitOptions(0, -1, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @Seeds(100)
    void countsLikeANaiveModelAndForgetsWhoLeft(long seed) {
        record Guest(IpAddress address, boolean greeted) {}
        Random random = new Random(seed);
        LimitOptions limits =
                new LimitOptions(
                        random.nextInt(12),
                        random.nextInt(6),
                        random.nextInt(8),
                        random.nextInt(4));
        Admission admission = new Admission(limits);
        List<Guest> inside = new ArrayList<>();
        for (int step = 0; step < 500; step++) {
            IpAddress client = IpAddress.v4(random.nextInt(4));
            int at = inside.isEmpty() ? -1 : random.nextInt(inside.size());
            switch (random.nextInt(3)) {
                case 0 -> {
                    long ofClient = inside.stream().filter(g -> g.address().equals(client)).count();
                    long waiting = inside.stream().filter(g -> !g.greeted()).count();
                    long waitingOfClient =
                            inside.stream()
                                    .filter(g -> !g.greeted() && g.address().equals(client))
                                    .count();
                    boolean expected =
                            fits(inside.size(), limits.connections())
                                    && fits(ofClient, limits.connectionsPerAddress())
                                    && fits(waiting, limits.handshakes())
                                    && fits(waitingOfClient, limits.handshakesPerAddress());
                    boolean admitted = admission.tryEnter(client) == Verdict.ADMITTED;
                    assertThat(admitted).isEqualTo(expected);
                    if (admitted) {
                        inside.add(new Guest(client, false));
                    }
                }
                case 1 -> {
                    if (at >= 0 && !inside.get(at).greeted()) {
                        admission.greeted(inside.get(at).address());
                        inside.set(at, new Guest(inside.get(at).address(), true));
                    }
                }
                default -> {
                    if (at >= 0) {
                        Guest guest = inside.remove(at);
                        admission.leave(guest.address(), guest.greeted());
                    }
                }
            }
            assertThat(admission.connections()).isEqualTo(inside.size());
            assertThat(admission.addresses())
                    .isEqualTo((int) inside.stream().map(Guest::address).distinct().count());
        }
        inside.forEach(guest -> admission.leave(guest.address(), guest.greeted()));
        assertThat(admission.connections()).isZero();
        assertThat(admission.handshakes()).isZero();
        assertThat(admission.addresses()).isZero();
    }

    private static boolean fits(long count, int limit) {
        return limit == LimitOptions.NONE || count < limit;
    }
}
