package sluice.protocol.shadowsocks;

import sluice.base.config.Refusal;
import sluice.base.config.Shape;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.Outbound;
import sluice.protocol.spi.Protocol;

/// Shadowsocks, as `type: shadowsocks` names it: SIP004 (AEAD), SIP022 (2022), SIP023 (identity
/// headers) and `none`.
public final class Shadowsocks implements Protocol {

    /// For the catalog.
    public Shadowsocks() {}

    /// Bytes of a random key for `method`, and 0 where a key is hashed from any password or there
    /// is none.
    ///
    /// @param method a name as in a configuration
    /// @throws Refusal with a reason where it is none
    public static int keyBytes(String method) {
        Method parsed = Method.parse(method);
        return parsed.is2022() ? parsed.keyBytes() : 0;
    }

    /// The canonical name of a method.
    ///
    /// @param method a name as in a configuration, or one of its other spellings
    /// @throws Refusal with a reason where it is none
    public static String methodName(String method) {
        return Method.parse(method).text();
    }

    @Override
    public String type() {
        return "shadowsocks";
    }

    @Override
    public Shape<? extends Inbound> inbound() {
        return InboundOptions.SHAPE;
    }

    @Override
    public Shape<? extends Outbound> outbound() {
        return OutboundOptions.SHAPE;
    }
}
