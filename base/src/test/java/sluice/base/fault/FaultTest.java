package sluice.base.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FaultTest {

    @Test
    void faultsOfStrangersCarryNoStackTrace() {
        PeerFault fault = new PeerFault(PeerFault.Kind.MALFORMED, "socks: not version 5");

        assertThat(fault.getStackTrace()).isEmpty();
        assertThat(fault.kind()).isEqualTo(PeerFault.Kind.MALFORMED);
        assertThat(fault.reason()).isEqualTo("socks: not version 5");
    }

    @Test
    void faultsOfTheSystemSayCallAndErrno() {
        SystemFault fault = new SystemFault("bind 127.0.0.1:1", 13, "EACCES (permission denied)");

        assertThat(fault.errno()).isEqualTo(13);
        assertThat(fault.reason()).isEqualTo("bind 127.0.0.1:1: EACCES (permission denied)");
    }
}
