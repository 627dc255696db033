package sluice.base.fault;

/// The operator's configuration cannot be used. Its message is the whole report, ready to print:
/// one finding a line, each with file, line, column, path, reason and mend.
public final class ConfigFault extends Fault {

    private static final long serialVersionUID = 1;

    /// @param report findings, ready to print
    public ConfigFault(String report) {
        super(report, null, false);
    }
}
