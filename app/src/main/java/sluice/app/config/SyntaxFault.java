package sluice.app.config;

import org.jspecify.annotations.Nullable;
import sluice.base.config.Place;

/// The text is not of its language. Ends the reading of one file; its reader reports it.
final class SyntaxFault extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Place place;
    private final String reason;
    private final @Nullable String mend;

    SyntaxFault(Place place, String reason, @Nullable String mend) {
        super(reason, null, false, false);
        this.place = place;
        this.reason = reason;
        this.mend = mend;
    }

    Place place() {
        return place;
    }

    String reason() {
        return reason;
    }

    @Nullable String mend() {
        return mend;
    }
}
