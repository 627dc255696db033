/// The engines: one adapter each, and which of them are installed.
@NullMarked
package sluice.lab.engine;

import org.jspecify.annotations.NullMarked;
