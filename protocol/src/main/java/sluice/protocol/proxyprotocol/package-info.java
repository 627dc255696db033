/// The PROXY protocol, versions 1 and 2: what a front such as HAProxy says ahead of everything else
/// about the client it speaks for. Reading it on accepted streams, and writing it.
///
/// Specification: "The PROXY protocol, versions 1 and 2", HAProxy.
@NullMarked
package sluice.protocol.proxyprotocol;

import org.jspecify.annotations.NullMarked;
