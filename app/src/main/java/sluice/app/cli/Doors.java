package sluice.app.cli;

import sluice.app.config.Configuration;
import sluice.app.config.ConfigurationSource;
import sluice.base.os.OperatingSystem;
import sluice.engine.Engine;
import sluice.engine.plan.Plan;

/// What commands reach beyond files: the process that serves, and the system below it.
public interface Doors {

    /// Serves until a signal says otherwise.
    ///
    /// @param configuration to begin with
    /// @param source of the configuration for a reload
    /// @return the exit code
    int serve(Configuration configuration, ConfigurationSource source);

    /// The system that a process would run on.
    OperatingSystem system();

    /// An engine for a configuration, which listens on nothing yet.
    Engine engine(Configuration configuration);

    /// An engine with what a configuration says of the process, and another plan.
    Engine engine(Configuration configuration, Plan plan);
}
