package sluice.app.cli;

import java.util.List;

/// An option of a command line.
///
/// @param letter behind one dash, or 0
/// @param name behind two dashes
/// @param takesValue whether a value follows
record Option(char letter, String name, boolean takesValue) {

    /// A configuration file.
    static final Option CONFIG = new Option('c', "config", true);

    /// A directory of configuration files.
    static final Option CONFIG_DIRECTORY = new Option('C', "config-directory", true);

    /// The working directory.
    static final Option DIRECTORY = new Option('D', "directory", true);

    /// Asks for help; every command has it.
    static final Option HELP = new Option('h', "help", false);

    /// Those that say which configuration is meant.
    static final List<Option> CONFIGURATION = List.of(CONFIG, CONFIG_DIRECTORY, DIRECTORY);
}
