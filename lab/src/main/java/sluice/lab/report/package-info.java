/// Pages from a log.
@NullMarked
package sluice.lab.report;

import org.jspecify.annotations.NullMarked;
