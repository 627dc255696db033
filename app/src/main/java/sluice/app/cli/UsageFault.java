package sluice.app.cli;

/// The command line is wrong. Its message is for the operator.
final class UsageFault extends RuntimeException {

    private static final long serialVersionUID = 1;

    UsageFault(String message) {
        super(message, null, false, false);
    }
}
