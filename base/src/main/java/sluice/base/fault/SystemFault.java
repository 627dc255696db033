package sluice.base.fault;

/// The kernel, the disk or a limit said no. Ends the operation; the caller decides what follows.
public final class SystemFault extends Fault {

    private static final long serialVersionUID = 1;

    private final int errno;

    /// @param call what was tried, on what, e.g. `bind 127.0.0.1:1080`
    /// @param errno positive errno value, or 0 where there is none
    /// @param name its name and meaning, e.g. `EADDRINUSE (address already in use)`
    public SystemFault(String call, int errno, String name) {
        super(call + ": " + name, null, false);
        this.errno = errno;
    }

    /// The errno value, or 0.
    public int errno() {
        return errno;
    }
}
