package sluice.base.fault;

/// A remote party broke the rules of its protocol. Ends that flow; carries no stack trace, since a
/// stranger can cause a million of them.
public final class PeerFault extends Fault {

    private static final long serialVersionUID = 1;

    /// What kind of rule was broken.
    public enum Kind {
        /// The bytes do not parse.
        MALFORMED,
        /// A message that may not come at this point.
        OUT_OF_ORDER,
        /// Wrong key, user or password, a replay, or a wrong clock.
        UNAUTHENTICATED,
        /// Well formed, but nothing that is offered here.
        UNSUPPORTED,
        /// Over a stated limit.
        TOO_LARGE,
        /// The handshake deadline passed.
        TOO_SLOW,
        /// The stream ended in the middle of a message.
        TRUNCATED,
        /// The peer said no.
        REFUSED
    }

    private final Kind kind;

    /// @param kind which rule
    /// @param reason for the operator, with the protocol's name; no secrets
    public PeerFault(Kind kind, String reason) {
        super(reason, null, false);
        this.kind = kind;
    }

    /// Which rule was broken.
    public Kind kind() {
        return kind;
    }
}
