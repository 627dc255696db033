/// UDP over TCP, versions 1 and 2: datagrams in a stream of any proxy protocol, asked for by a
/// magic domain as the target. A shared part; protocols with the option `udp_over_tcp` begin at
/// [sluice.protocol.uot.UdpOverTcp].
@NullMarked
package sluice.protocol.uot;

import org.jspecify.annotations.NullMarked;
