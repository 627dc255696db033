package sluice.app.config;

import sluice.base.fault.ConfigFault;

/// Where a running process gets another configuration from. Each [#next] that returns is followed
/// by [#taken] or [#refused].
public interface ConfigurationSource {

    /// Reads the configuration anew and starts what it needs beside what runs. Where this throws,
    /// everything is as it was.
    ///
    /// @throws ConfigFault with the complete report, when it cannot be used
    Configuration next();

    /// The configuration is in force: what it does not need ends.
    void taken(Configuration configuration);

    /// The configuration that was returned last is not in force: what it alone needed ends.
    void refused();
}
