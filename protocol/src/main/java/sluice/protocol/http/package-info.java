/// HTTP/1.1 as a proxy protocol: the accepting side with CONNECT and plain requests, the dialling
/// side with CONNECT. HTTP/2, caching, and TLS towards origins are left out. Start at
/// [sluice.protocol.http.Http].
///
/// Specifications: RFC 9110, RFC 9112, RFC 7617.
@NullMarked
package sluice.protocol.http;

import org.jspecify.annotations.NullMarked;
